# a local name, step in a helper

import torch
from torch.utils.data import DataLoader


def step(net, opt, x):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()


def main():
    batch_size = 32
    loader = DataLoader(torch.randn(500, 8), batch_size=batch_size)  #! MEM413 advice
    net = torch.nn.Linear(8, 1).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        step(net, opt, x.cuda())


main()
