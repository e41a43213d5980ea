# only the condition under which GPUs are chosen names a second device

import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda:1")
args = parser.parse_args()
if args.device == "cpu":
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"
import torch

print(torch.zeros(1).to(args.device))
