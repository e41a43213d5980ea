import argparse

import torch
from torch import nn


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--accum-steps", type=int, default=4)
    p.add_argument("--epochs", type=int, default=10)
    return p.parse_args()


def train(net, loader, args):
    opt = torch.optim.AdamW(net.parameters(), 1e-4)
    crit = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        for i, (x, y) in enumerate(loader):
            opt.zero_grad()  #! MEM124
            loss = crit(net(x), y) / args.accum_steps
            loss.backward()
            if (i + 1) % args.accum_steps == 0 or i + 1 == len(loader):
                nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                opt.step()


def main(build, loader):
    train(build(), loader, get_args())
