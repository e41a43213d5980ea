# only read

import os

import torch

torch.zeros(1).cuda()
if "expandable_segments:True" in os.environ.get("PYTORCH_CUDA_ALLOC_CONF", ""):
    print("expandable")
print(os.environ.setdefault("OMP_NUM_THREADS", "1"))
