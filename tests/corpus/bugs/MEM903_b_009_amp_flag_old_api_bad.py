import argparse
import contextlib

import torch
from torch import nn
from torch.cuda.amp import GradScaler  #? MEM903


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--amp", action="store_true")
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--clip", type=float, default=0.0)
    return p.parse_args()


def autocast_ctx(enabled):
    return torch.cuda.amp.autocast() if enabled else contextlib.nullcontext()  #! MEM903


def train(model, loader, opt, scaler, args):
    crit = nn.CrossEntropyLoss(label_smoothing=0.1)
    total = 0.
    for x, y in loader:
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        opt.zero_grad(set_to_none=True)
        with autocast_ctx(args.amp):
            loss = crit(model(x), y)
        if scaler is not None:
            scaler.scale(loss).backward()
            if args.clip:
                scaler.unscale_(opt)
                nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            scaler.step(opt)
            scaler.update()
        else:
            loss.backward()
            opt.step()
        total += loss * x.size(0)  #! MEM101
    return total / len(loader.dataset)


def main(model, loader):
    args = get_args()
    model = model.cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = GradScaler() if args.amp else None  #! MEM903
    for e in range(args.epochs):
        print(e, float(train(model, loader, opt, scaler, args)))
