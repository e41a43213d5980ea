# Both sides have one shape, by the data or by a view of the targets.

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

X = torch.randn(1000, 8)
flat, column = torch.randn(1000), X @ torch.randn(8, 1)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
loss_fn = nn.MSELoss()
for x, y, z in DataLoader(TensorDataset(X, flat, column), batch_size=32):
    loss = loss_fn(model(x), y.view(-1, 1)) + loss_fn(model(x), z) + loss_fn(model(x)[:, 0], y)
    loss.backward()
