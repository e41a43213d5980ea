# strings from numbers, and other variables of the same family

import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=0)
parser.add_argument("--gpus", type=str, default="0,1")
args = parser.parse_args()
os.environ["CUDA_VISIBLE_DEVICES"] = str(args.gpu)
os.environ["CUDA_VISIBLE_DEVICES"] = args.gpus
os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, [0, 1]))
os.environ["NVIDIA_VISIBLE_DEVICES"] = "0"
os.environ["HIP_VISIBLE_DEVICES"] = "0"
os.environ["OMP_NUM_THREADS"] = "4"
import torch
