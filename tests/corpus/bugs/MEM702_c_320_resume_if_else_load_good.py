import os

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 8, 3)
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)).mean((2, 3)))


def train(loader, model, criterion, optimizer, epoch):
    model.train()
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def main_worker(gpu, resume="model_best.pth.tar"):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    start_epoch, best = 0, 0.0
    if resume and os.path.isfile(resume):
        if gpu is None:
            ckpt = torch.load(resume)
        else:
            ckpt = torch.load(resume, map_location=f"cuda:{gpu}")
        start_epoch = ckpt["epoch"]
        best = ckpt.get("best_acc1", 0.0)
        model.load_state_dict(ckpt["state_dict"])
        optimizer.load_state_dict(ckpt["optimizer"])
        print("loaded", ckpt["epoch"], best)
        del ckpt
    loader = [(torch.randn(2, 3, 8, 8), torch.randint(0, 5, (2,)))]
    for epoch in range(start_epoch, 3):
        train(loader, model, nn.CrossEntropyLoss(), optimizer, epoch)
        ckpt = {"epoch": epoch + 1, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(ckpt, "last.pth.tar")


if __name__ == "__main__":
    main_worker(None)
