# what holds anyway, as advice

import os

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"  #! MEM906 advice
os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:128")  #! MEM906 advice

import torch

net = torch.nn.Linear(4, 4)
opt = torch.optim.Adam(net.parameters())
for x in torch.randn(100, 8, 4):
    opt.zero_grad(set_to_none=True)  #! MEM906 advice
    net(x).mean().backward()
    opt.step()
