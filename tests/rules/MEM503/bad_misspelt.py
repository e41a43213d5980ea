# misspelt

import os

os.environ["CUDA_VISABLE_DEVICES"] = "0"  #! MEM503 error

import torch

print(torch.cuda.device_count())
