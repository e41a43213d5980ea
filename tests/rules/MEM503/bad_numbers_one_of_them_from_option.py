# numbers, one of them from an option

import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=0)
opt = parser.parse_args()
os.environ["CUDA_VISIBLE_DEVICES"] = opt.gpu  #! MEM503 error
os.environ["CUDA_VISIBLE_DEVICES"] = 0  #! MEM503 error

import torch

print(torch.cuda.device_count())
