# old-style Variable around each batch, function called from main()

import torch
from torch.autograd import Variable


def train(net, criterion, optimizer, train_loader):
    for inputs, labels in train_loader:
        inputs = Variable(inputs)
        labels = Variable(labels)
        optimizer.zero_grad()
        loss = criterion(net(inputs), labels)
        loss.backward()
        optimizer.step()


def main():
    net = torch.nn.Linear(10, 2)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    train_loader = [(torch.randn(4, 10), torch.tensor([0, 1, 0, 1]))]
    train(net, torch.nn.CrossEntropyLoss(), sgd, train_loader)


main()
