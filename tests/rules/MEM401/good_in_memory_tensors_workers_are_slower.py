# in-memory tensors: workers are slower

import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(1000, 8), torch.randn(1000, 1))
loader = DataLoader(data, batch_size=64, shuffle=True)
zero = DataLoader(TensorDataset(torch.randn(100, 8)), batch_size=64, num_workers=0)
model = torch.nn.Linear(8, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    (model(x) - y).pow(2).mean().backward()
    opt.step()
for (x,) in zero:
    opt.zero_grad()
    model(x).mean().backward()
    opt.step()
