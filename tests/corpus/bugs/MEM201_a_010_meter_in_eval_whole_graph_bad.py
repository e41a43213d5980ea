import numpy as np
import torch
from torch import nn


class Averager:
    def __init__(self):
        self.n = 0
        self.v = 0

    def add(self, x):
        self.v = (self.v * self.n + x) / (self.n + 1)
        self.n += 1

    def item(self):
        return self.v


def run_val(model, val_loader, label, args):
    vl = Averager()
    va = Averager()
    model.eval()
    for i, batch in enumerate(val_loader, 1):
        data = batch[0].cuda()
        logits = model(data)  #! MEM201
        loss = nn.functional.cross_entropy(logits, label)
        acc = (logits.argmax(1) == label).float().mean().item()
        vl.add(loss)  #! MEM105
        va.add(acc)
    return vl.item(), va.item()


def main(model, train_loader, val_loader, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    for epoch in range(args.max_epoch):
        model.train()
        tl = Averager()
        for data, label in train_loader:
            loss = nn.functional.cross_entropy(model(data.cuda()), label.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            tl.add(loss.item())
        label = torch.arange(args.way).repeat(args.query).cuda()
        vl, va = run_val(model, val_loader, label, args)
        print(f'epoch {epoch} train {tl.item():.4f} val {vl:.4f} acc {va:.4f}')
