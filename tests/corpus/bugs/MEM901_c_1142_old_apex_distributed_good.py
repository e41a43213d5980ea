import argparse

import torch
import torch.nn.functional as F


def train(args, model, optimizer, scaler, loader):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        with torch.amp.autocast("cuda", enabled=args.fp16):
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def main(model, loader):
    p = argparse.ArgumentParser()
    p.add_argument("--fp16", action="store_true")
    args = p.parse_args()
    optimizer = torch.optim.SGD(model.cuda().parameters(), 0.1)
    train(args, model, optimizer, torch.amp.GradScaler("cuda", enabled=args.fp16), loader)
