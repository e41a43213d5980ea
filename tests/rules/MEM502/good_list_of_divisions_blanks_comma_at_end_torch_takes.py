# a list of divisions, blanks, a comma at the end: torch takes them all

import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "roundup_power2_divisions:[256:1,512:2,1024:4,>:8]"
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = " max_split_size_mb:128, backend:native,"
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = ""

import torch

print(torch.zeros(1).cuda())
