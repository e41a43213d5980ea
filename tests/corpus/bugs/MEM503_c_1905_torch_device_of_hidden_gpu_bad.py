"""Three GPUs used, two visible; the hidden one is meant to be the second."""
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"  #! MEM503

import torch

devices = [torch.device("cuda", i) for i in range(2)]
generator = torch.nn.Linear(8, 8).to(devices[0])
critic = torch.nn.Linear(8, 1).cuda(2)  #= MEM503
print(generator, critic)
