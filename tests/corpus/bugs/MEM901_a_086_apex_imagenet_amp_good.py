import argparse

import torch
import torch.nn as nn
from torchvision.models import resnet50



def main(train_loader):
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=90)
    args = p.parse_args()
    model = resnet50().cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda")
    criterion = nn.CrossEntropyLoss().cuda()
    for epoch in range(args.epochs):
        for i, (input, target) in enumerate(train_loader):
            with torch.amp.autocast("cuda"):
                loss = criterion(model(input.cuda()), target.cuda())
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            if i % 10 == 0:
                print(epoch, i, loss.item())
