import argparse

import apex
import torch
import torch.nn as nn


def train(train_loader, model, optimizer, args):
    model.train()
    criterion = nn.CrossEntropyLoss(ignore_index=255)
    for i, (input, target) in enumerate(train_loader):
        input, target = input.cuda(non_blocking=True), target.cuda(non_blocking=True)
        loss = criterion(model(input), target)
        optimizer.zero_grad()
        if args.use_apex:
            with apex.amp.scale_loss(loss, optimizer) as scaled_loss:  #! MEM901
                scaled_loss.backward()
        else:
            loss.backward()
        optimizer.step()
        if i % 10 == 0:
            print(i, loss.item())
