# claim: HOST, expected: confirmed (all batches of the data set stay in memory)
import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
data = TensorDataset(torch.randn(3200, 1024), torch.randint(0, 4, (3200,)))
loader = DataLoader(data, batch_size=128, shuffle=True)
model = nn.Linear(1024, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
batches = itertools.cycle(loader)
for _ in range(100):
    x, y = next(batches)
    loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
