# a builder that main calls

import torch
import torch.nn as nn


def build(name, multi_gpu):
    net = {"small": nn.Linear(4, 4), "large": nn.Linear(4, 400)}[name]
    return torch.nn.DataParallel(net).cuda() if multi_gpu else net.cuda()  #! MEM601


def main():
    net = build("large", True)
    optimizer = torch.optim.RMSprop(net.parameters())
    for _ in range(5):
        net(torch.randn(16, 4).cuda()).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
