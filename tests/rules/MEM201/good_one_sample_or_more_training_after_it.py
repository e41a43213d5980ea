# one sample of the test set, a test set between two trainings whose loss trains, and one under no_grad

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
print(net(X_test[:1]).argmax(1).item())
shift = nn.functional.cross_entropy(net(X_test), y_test)
shift.backward()
with torch.no_grad():
    guess = net(X_test).argmax(1)
print((guess == y_test).float().mean().item())
