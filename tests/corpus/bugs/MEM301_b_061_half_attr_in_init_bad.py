import torch
import torch.nn as nn


class Config:
    lr = 0.01
    epochs = 20
    precision = torch.half


class Learner:
    def __init__(self, net, cfg=Config):
        self.cfg = cfg
        self.net = net.cuda().half()  #! MEM301
        self.criterion = nn.CrossEntropyLoss()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=cfg.lr, momentum=0.9)
        self.log = []

    def one_batch(self, x, y):
        pred = self.net(x.cuda().half())
        loss = self.criterion(pred.float(), y.cuda())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, loader):
        self.net.train()
        for e in range(self.cfg.epochs):
            losses = [self.one_batch(x, y) for x, y in loader]
            self.log.append(sum(losses) / len(losses))
            print(e, self.log[-1])


def build(width=64):
    def block(i, o):
        return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(), nn.MaxPool2d(2))
    return nn.Sequential(block(3, width), block(width, 2 * width), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2 * width, 10))


if __name__ == "__main__":
    from data import train_loader
    Learner(build()).fit(train_loader)
