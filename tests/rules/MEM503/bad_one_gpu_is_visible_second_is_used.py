# one GPU is visible, the second is used

import os

os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #! MEM503 error

import torch

device = torch.device("cuda:1")
print(torch.zeros(1, device=device))
