import argparse

import torch
import torch.nn.functional as F

from helpers.optim import clip_and_step, make_optimizer
from helpers.text import batches
from model import CharRNN


def run(args):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    ids = torch.load(args.data)
    net = CharRNN(int(ids.max()) + 1).to(device)
    opt = make_optimizer(net, args)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 10_000)
    for epoch in range(args.epochs):
        state = net.init_hidden(args.batch, device)
        total, n = 0.0, 0
        for x, y in batches(ids, args.batch, 128):
            x, y = x.to(device), y.to(device)
            logits, state = net(x, tuple(s.detach() for s in state))
            loss = F.cross_entropy(logits.transpose(1, 2), y)
            loss.backward()
            clip_and_step(net, opt, sched, 1.0)
            total += loss.item() * x.numel()
            n += x.numel()
        print(epoch, float(total) / n)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("data")
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--epochs", type=int, default=20)
    run(p.parse_args())
