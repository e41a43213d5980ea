# loader arguments without workers, in a flat script

import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(256, 8), torch.randn(256, 1))
train = DataLoader(data, batch_size=32, shuffle=True)
valid = DataLoader(data, batch_size=64, num_workers=0)
model = torch.nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in train:
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
