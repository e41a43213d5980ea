# function called from main()

import torch
from torch import nn


def train(dataloader, net, criterion, opt):
    net.train()
    for images, labels in dataloader:
        out = net(images)
        loss = criterion(out, labels)
        opt.zero_grad()  #! MEM122 advice
        loss.backward()
        opt.step()


def main():
    net = nn.Sequential(nn.Flatten(), nn.Linear(48, 10))
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    batches = [(torch.randn(4, 3, 4, 4), torch.randint(0, 10, (4,)))] * 3
    train(batches, net, nn.CrossEntropyLoss(), opt)


main()
