# Image classifier with a metric that averages over all processes.
import argparse

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--batch-size", type=int, default=32)
args = parser.parse_args()


class Metric(object):
    def __init__(self, name):
        self.name = name
        self.sum = torch.tensor(0.0)
        self.n = torch.tensor(0.0)

    def update(self, val):
        if dist.is_initialized():
            dist.all_reduce(val)
            val = val / dist.get_world_size()
        self.sum += val.cpu()  #= MEM105
        self.n += 1

    @property
    def avg(self):
        return self.sum / self.n


def accuracy(output, target):
    return (output.argmax(1) == target).float().mean()


def train(epoch, model, loader, optimizer):
    model.train()
    train_loss, train_accuracy = Metric("train_loss"), Metric("train_accuracy")
    for data, target in loader:
        optimizer.zero_grad()
        output = model(data)
        loss = F.cross_entropy(output, target)
        loss.backward()
        optimizer.step()
        train_loss.update(loss)  #! MEM105
        train_accuracy.update(accuracy(output, target))
    print(epoch, train_loss.avg.item(), train_accuracy.avg.item())


def main():
    images = TensorDataset(torch.randn(640, 3, 16, 16), torch.randint(0, 10, (640,)))
    loader = DataLoader(images, batch_size=args.batch_size, shuffle=True)
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(args.epochs):
        train(epoch, net, loader, optimizer)


main()
