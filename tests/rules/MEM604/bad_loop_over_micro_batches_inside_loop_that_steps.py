# a loop over micro-batches inside the loop that steps, in a function

import torch
from torch.nn.parallel import DistributedDataParallel


def train(net, optimizer, batches):
    for batch in batches:
        optimizer.zero_grad()
        for micro in batch.cuda().chunk(4):
            net(micro).pow(2).mean().backward()  #! MEM604
        optimizer.step()


def main():
    net = DistributedDataParallel(torch.nn.Linear(6, 6).cuda())
    train(net, torch.optim.SGD(net.parameters(), lr=0.1), torch.randn(10, 16, 6))


main()
