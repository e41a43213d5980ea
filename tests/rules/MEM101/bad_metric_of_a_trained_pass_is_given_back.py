# the loss shares the forward pass, which backward has freed: no caller can differentiate the sums

import torch
from torch import nn


class Tapped(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.seen = None
        self.moments = torch.zeros(width, width, device="cuda")

    def forward(self, x):
        hidden = self.inner(x)
        self.seen = hidden
        return hidden

    def update(self):
        self.moments = self.moments + self.seen.t() @ self.seen  #! MEM101 error


tapped = Tapped(64).cuda()
optimizer = torch.optim.SGD(tapped.parameters(), lr=0.1)


def moments_of(loader):
    for x in loader:
        optimizer.zero_grad()
        tapped(x.cuda()).pow(2).mean().backward()
        optimizer.step()
        tapped.update()
    return tapped.moments


def train(model, loader, criterion, optimizer):
    entropy, size = 0, 0
    for x, y in loader:
        optimizer.zero_grad()
        logits = model(x.cuda())
        loss = criterion(logits, y.cuda())
        size = size + logits.norm()  #! MEM101 error
        loss.backward()
        optimizer.step()
        entropy -= (logits.softmax(1) * logits.log_softmax(1)).sum()  #! MEM101 error
    return entropy / len(loader), size


def train_with_scaler(model, loader, criterion, optimizer, scaler):
    sharpness = torch.zeros(1, device="cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            logits = model(x.cuda())
            loss = criterion(logits, y.cuda())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        sharpness += logits.softmax(1).amax(1).mean()  #! MEM101 error
    return {"sharpness": sharpness}
