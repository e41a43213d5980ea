# one forward pass over the whole test set below the training loop

import torch
from torch import nn

X, y, X_test, y_test = torch.load("table.pt")
net = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, 2))
optimizer = torch.optim.Adam(net.parameters())
for _ in range(100):
    loss = nn.functional.cross_entropy(net(X), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
guess = net(X_test).argmax(1)  #! MEM201 warning
print((guess == y_test).float().mean().item())
