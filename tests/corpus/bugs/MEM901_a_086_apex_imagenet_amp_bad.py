import argparse

import torch
import torch.nn as nn
from torchvision.models import resnet50

from apex import amp


def main(train_loader):
    p = argparse.ArgumentParser()
    p.add_argument("--opt-level", default="O1")
    p.add_argument("--epochs", type=int, default=90)
    args = p.parse_args()
    model = resnet50().cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level)  #? MEM901
    criterion = nn.CrossEntropyLoss().cuda()
    for epoch in range(args.epochs):
        for i, (input, target) in enumerate(train_loader):
            loss = criterion(model(input.cuda()), target.cuda())
            optimizer.zero_grad()
            with amp.scale_loss(loss, optimizer) as scaled_loss:  #! MEM901
                scaled_loss.backward()
            optimizer.step()
            if i % 10 == 0:
                print(epoch, i, loss.item())
