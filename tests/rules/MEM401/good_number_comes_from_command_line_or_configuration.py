# the number comes from the command line or a configuration

import argparse

import torch
from torchvision import datasets

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=4)
args = parser.parse_args()
loader = torch.utils.data.DataLoader(datasets.ImageFolder("train"), num_workers=args.workers)
model = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    model(x).mean().backward()
    opt.step()
