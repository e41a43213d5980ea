import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class BigMLP(nn.Module):
    def __init__(self, width=6144):
        super().__init__()
        self.inp = nn.Linear(1024, width)
        self.mid = nn.Linear(width, width)
        self.mid2 = nn.Linear(width, width)
        self.out = nn.Linear(width, 10)

    def forward(self, x):
        h = F.gelu(self.inp(x))
        h = F.gelu(self.mid(h))
        return self.out(F.gelu(self.mid2(h)))


def train_step(net, optim, x, y, clip):
    pred = net(x)
    loss = F.mse_loss(pred, y)
    optim.zero_grad()  #! MEM122
    loss.backward()
    if clip:
        nn.utils.clip_grad_norm_(net.parameters(), clip)
    optim.step()
    return loss.detach()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--clip", type=float, default=1.0)
    args = ap.parse_args()
    net = BigMLP()
    optim = torch.optim.SGD(net.parameters(), lr=1e-2)
    for i in range(10):
        loss = train_step(net, optim, torch.randn(2, 1024), torch.randn(2, 10), args.clip)
        print(i, loss.item())


if __name__ == "__main__":
    main()
