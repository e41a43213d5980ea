# flat script: the model is on the GPU already

import os
import time

import torch

model = torch.nn.Linear(1024, 1024).cuda()
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"  #! MEM502 error
print(time.time(), model(torch.randn(4, 1024).cuda()).sum())
