# The last part of the script tests the model on the images of a folder; eval() alone is not enough.
from __future__ import division, print_function

import argparse
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torchvision import datasets, transforms

parser = argparse.ArgumentParser(description="PyTorch digits")
parser.add_argument("--no-cuda", action="store_true", default=False)
parser.add_argument("--epochs", type=int, default=10, metavar="N")
args = parser.parse_args()
args.cuda = not args.no_cuda and torch.cuda.is_available()
kwargs = {"num_workers": 1, "pin_memory": True} if args.cuda else {}


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 10, kernel_size=5)
        self.fc1 = nn.Linear(1440, 10)

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.conv1(x), 2))
        return F.log_softmax(self.fc1(x.view(-1, 1440)), dim=1)


def loader(train):
    data = datasets.MNIST(os.path.expanduser("~/data"), train=train, transform=transforms.ToTensor())
    return torch.utils.data.DataLoader(data, batch_size=64, shuffle=train, **kwargs)


model = Net()
if args.cuda:
    model.cuda()
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.5)


def train(epoch):
    model.train()
    for data, target in loader(True):
        if args.cuda:
            data, target = data.cuda(), target.cuda()
        optimizer.zero_grad()
        loss = F.nll_loss(model(data), target)
        loss.backward()
        optimizer.step()
    print("epoch {}: {:.4f}".format(epoch, loss.item()))


@torch.no_grad()
def test():
    model.eval()
    test_loss = 0
    correct = 0
    for data, target in loader(False):
        if args.cuda:
            data, target = data.cuda(), target.cuda()
        output = model(data)
        test_loss += F.nll_loss(output, target, reduction="sum")
        correct += output.data.max(1, keepdim=True)[1].eq(target.data.view_as(output.data.max(1)[1])).cpu().sum()
    print("test loss {:.4f}, {} right".format(float(test_loss) / 10000, int(correct)))


for epoch in range(1, args.epochs + 1):
    train(epoch)
    test()
