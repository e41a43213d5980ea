import argparse
import os

import torch
import torch.nn as nn
import torchvision.models as models

parser = argparse.ArgumentParser(description="fine-tune")
parser.add_argument("--resume", default="", type=str)
parser.add_argument("--lr", default=0.1, type=float)
best_acc1 = 0


def main():
    global best_acc1
    args = parser.parse_args()
    model = models.resnet18().cuda()
    criterion = nn.CrossEntropyLoss().cuda()
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9)
    start_epoch = 0
    if args.resume and os.path.isfile(args.resume):
        print("=> loading checkpoint '{}'".format(args.resume))
        checkpoint = torch.load(args.resume)  #! MEM701 #! MEM702
        start_epoch = checkpoint["epoch"]
        best_acc1 = checkpoint["best_acc1"]
        model.load_state_dict(checkpoint["state_dict"])
        optimizer.load_state_dict(checkpoint["optimizer"])
    for epoch in range(start_epoch, 90):
        for x, y in [(torch.randn(2, 3, 64, 64).cuda(), torch.zeros(2).long().cuda())]:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
