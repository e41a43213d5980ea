# classifier trained by a function that main() calls, criterion from outside

import torch
from torch import nn


def train_one_epoch(net, criterion, optimizer, batches):
    net.train()
    for images, labels in batches:
        scores = net(images)
        loss = criterion(scores, labels)
        optimizer.zero_grad()
        del scores
        loss.backward()
        optimizer.step()


def main():
    net = nn.Sequential(nn.Flatten(), nn.Linear(768, 64), nn.ReLU(), nn.Linear(64, 4000))
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    batches = [(torch.randn(4, 3, 16, 16), torch.randint(0, 4000, (4,))) for _ in range(5)]
    for _ in range(2):
        train_one_epoch(net, nn.CrossEntropyLoss(label_smoothing=0.1), sgd, batches)


if __name__ == "__main__":
    main()
