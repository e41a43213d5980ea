# one epoch is a function that main calls; so is evaluation; workers from the command line

import argparse

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10


def train_one_epoch(net, opt, batches):
    net.train()
    for x, y in batches:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        opt.step()


@torch.no_grad()
def evaluate(net, batches):
    net.eval()
    return sum((net(x).argmax(1) == y).sum().item() for x, y in batches)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", default=4, type=int)
    args = parser.parse_args()
    train = DataLoader(CIFAR10("data"), 128, shuffle=True, num_workers=args.workers)  #! MEM406 advice
    test = DataLoader(CIFAR10("data", train=False), 128, num_workers=2, persistent_workers=True)
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(20):
        train_one_epoch(net, opt, train)
        print(epoch, evaluate(net, test))


if __name__ == "__main__":
    main()
