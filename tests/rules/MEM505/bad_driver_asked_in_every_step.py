# the driver is asked in every step of a flat script

import subprocess

import torch

net = torch.nn.Linear(8, 2).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(100, 4, 8):
    opt.zero_grad()
    net(x.cuda()).sum().backward()
    opt.step()
    subprocess.run(["nvidia-smi"])  #! MEM505 advice
