# Facial expression training, with the number of hits and the loss summed over the epoch.
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--lam", type=float, default=5.0)
parser.add_argument("--epochs", type=int, default=4)
args = parser.parse_args([])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 16, 3, 2), nn.ReLU(), nn.Conv2d(16, 32, 3, 2), nn.ReLU())
        self.fc = nn.Linear(32, 7)

    def forward(self, x):
        maps = self.features(x)
        return self.fc(maps.mean((2, 3))), torch.einsum("bchw,kc->bkhw", maps, self.fc.weight)


def stream(n, size=40):
    left = n
    while (take := min(16, left)) > 0:
        left -= take
        yield torch.rand(take, 1, size, size), torch.randint(7, (take,))


def train(model, optimizer):
    running_loss, iter_cnt, correct_sum = 0.0, 0, 0
    model.train()
    for imgs, labels in stream(400):
        output, hm1 = model(imgs)
        _, hm2 = model(imgs.flip(3))
        consistency = F.mse_loss(hm1, hm2.flip(3))
        loss = F.cross_entropy(output, labels) + args.lam * consistency
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        iter_cnt += 1
        _, predicts = torch.max(output, 1)
        correct_sum += torch.eq(predicts, labels).sum()
        running_loss = running_loss + loss.item()
    return running_loss / iter_cnt, correct_sum.float() / 400


model = Net()
optimizer = torch.optim.Adam(model.parameters(), 1e-4, weight_decay=1e-4)
for epoch in range(args.epochs):
    print(epoch, *train(model, optimizer))
