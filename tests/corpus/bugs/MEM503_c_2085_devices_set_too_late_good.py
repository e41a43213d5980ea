# The choice of the GPU comes after CUDA has started.
import os
import sys

import torch
from torch import nn

print("found", torch.cuda.device_count(), torch.cuda.get_device_name(0))
warm = torch.zeros(1).cuda()
if os.environ.get("CUDA_VISIBLE_DEVICES") is None:
    sys.exit("choose the GPU outside: CUDA_VISIBLE_DEVICES=2 python train.py")


def main(gpu="2"):
    net = nn.Linear(1000, 1000).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(100):
        x = torch.randn(256, 1000).cuda()
        loss = (net(x) - x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


main(*sys.argv[1:2])
