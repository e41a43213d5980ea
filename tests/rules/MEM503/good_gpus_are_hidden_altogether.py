# GPUs are hidden altogether

import os

import torch

print(torch.cuda.is_available())
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
