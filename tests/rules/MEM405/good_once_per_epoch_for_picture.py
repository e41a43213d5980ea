# once per epoch, for a picture

import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(100, 8))
train_loader, test_loader = DataLoader(data, batch_size=10), DataLoader(data, batch_size=4)
auto = torch.nn.Linear(8, 8)
opt = torch.optim.Adam(auto.parameters())
for epoch in range(5):
    for (x,) in train_loader:
        opt.zero_grad()
        (auto(x) - x).square().mean().backward()
        opt.step()
    with torch.no_grad():
        (sample,) = next(iter(test_loader))
        print(auto(sample).std())
