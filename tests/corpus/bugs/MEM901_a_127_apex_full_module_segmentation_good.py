import argparse

import torch
import torch.nn as nn


def train(train_loader, model, optimizer, args):
    model.train()
    criterion = nn.CrossEntropyLoss(ignore_index=255)
    scaler = torch.amp.GradScaler("cuda", enabled=args.use_amp)
    for i, (input, target) in enumerate(train_loader):
        input, target = input.cuda(non_blocking=True), target.cuda(non_blocking=True)
        with torch.amp.autocast("cuda", enabled=args.use_amp):
            loss = criterion(model(input), target)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        if i % 10 == 0:
            print(i, loss.item())
