import os

CONF = "expandable_segment:True"
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = CONF  #! MEM502
import torch
print(torch.zeros(2).cuda())
