# mixed precision: the sum grows before the scaled backward

import torch
from torch import nn

model = nn.Linear(32, 2).cuda()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")


def run_epoch(loader):
    avg_loss = 0
    for step, (data, target) in enumerate(loader):
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(data.cuda()), target.cuda())
        avg_loss += (loss / len(loader)).detach()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return avg_loss
