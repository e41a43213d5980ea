import argparse

import torch
from torch import nn, optim


def build(width):
    body = nn.LSTM(2, width, num_layers=2, batch_first=True)
    tail = nn.Linear(width, 2)
    return body, tail


def main(args):
    body, tail = build(args.width)
    params = list(body.parameters()) + list(tail.parameters())
    opt = optim.SGD(params, lr=args.lr, momentum=0.9)
    memory = {"state": None}

    def one_step(seq):
        feats, memory["state"] = body(seq[:, :-1], memory["state"])  #! MEM106
        err = (tail(feats) - seq[:, 1:]).square().mean()
        opt.zero_grad(set_to_none=True)
        err.backward(retain_graph=True)  #? MEM108
        return err.item()

    for it in range(args.iters):
        value = one_step(torch.randn(args.batch, 25, 2))
        if it % 10 == 0:
            print(it, value)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--iters", type=int, default=100)
    main(parser.parse_args())
