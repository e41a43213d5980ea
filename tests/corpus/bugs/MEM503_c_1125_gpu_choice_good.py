import argparse
import os

import torch
import torch.nn as nn


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--gpu", default="1")
    return p.parse_args()


def main():
    args = parse()
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    net = nn.Linear(10, 2).to(device)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for _ in range(10):
        opt.zero_grad()
        net(torch.rand(4, 10, device=device)).sum().backward()
        opt.step()


if __name__ == "__main__":
    main()
