import torch
import torch.nn.functional as F
from torch import nn


def fit(net, features, labels, train_rows, val_rows, steps=200):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for step in range(steps):
        net.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(net(features)[train_rows], labels[train_rows])
        loss.backward()
        optimizer.step()
        net.eval()
        scores = net(features)  #! MEM201
        print(step, loss.item(), (scores[val_rows].argmax(1) == labels[val_rows]).float().mean().item())


fit(nn.Linear(16, 3), torch.randn(60, 16), torch.randint(0, 3, (60,)), slice(0, 40), slice(40, 60))
