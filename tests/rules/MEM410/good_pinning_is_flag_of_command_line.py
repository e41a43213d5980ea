# pinning is a flag of the command line

import argparse

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10

parser = argparse.ArgumentParser()
parser.add_argument("--pin-mem", action="store_true")
args = parser.parse_args()
loader = DataLoader(CIFAR10("data"), batch_size=128, num_workers=2, pin_memory=args.pin_mem)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for images, labels in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(images.cuda()), labels.cuda()).backward()
    opt.step()
