import argparse

import torch
import torch.nn as nn
from torchvision import models


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--fp16", action="store_true")
    ap.add_argument("--epochs", default=10, type=int)
    return ap.parse_args()


class Wrapper(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.backbone = models.resnet34(weights="DEFAULT")
        self.backbone.fc = nn.Linear(512, n)

    def forward(self, x):
        return self.backbone(x)


def main(loader):
    args = parse()
    model = Wrapper(100).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    criterion = nn.CrossEntropyLoss().cuda()
    scaler = torch.amp.GradScaler("cuda", enabled=args.fp16)
    for epoch in range(args.epochs):
        running = 0.0
        for images, labels in loader:
            images, labels = images.cuda(), labels.cuda()
            with torch.autocast("cuda", dtype=torch.float16, enabled=args.fp16):
                loss = criterion(model(images), labels)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            running += loss.item()
        print(epoch, running / len(loader))
    torch.save(model.state_dict(), "r34.pth")
