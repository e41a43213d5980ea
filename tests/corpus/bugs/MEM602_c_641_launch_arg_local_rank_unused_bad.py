import argparse

import torch
import torch.nn as nn
from torch import distributed

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=0)
args = parser.parse_args()

distributed.init_process_group("nccl", init_method="env://")


class Engine:
    def __init__(self, net):
        self.net = net.cuda()  #! MEM602
        self.net = nn.parallel.DistributedDataParallel(self.net, device_ids=[args.local_rank])
        self.optim = torch.optim.SGD(self.net.parameters(), 0.1)

    def run(self, batches):
        for b in batches:
            self.optim.zero_grad()
            self.net(b.cuda()).sum().backward()
            self.optim.step()


Engine(nn.Linear(3, 3)).run([torch.randn(2, 3) for _ in range(5)])
