# an option of the command line

import argparse

import torch
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=64)
args = parser.parse_args()
net = torch.nn.Linear(8, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(torch.randn(500, 8), batch_size=args.batch_size):
    opt.zero_grad()
    net(x.cuda()).mean().backward()
    opt.step()
