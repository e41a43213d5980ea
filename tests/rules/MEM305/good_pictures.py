# No vocabulary anywhere: a classifier of pictures.

import torch
from torch import nn


def train(net, loader, optimizer, scaler):
    criterion = nn.CrossEntropyLoss()
    for images, labels in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            scores = net(images)
        loss = criterion(scores.float(), labels)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
