# flat script: a batch cut into chunks, one backward for the sum

import torch
from torch import nn

torch.manual_seed(2)
model = nn.Sequential(nn.Linear(40, 200), nn.ReLU(), nn.Linear(200, 5))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    inputs, labels = torch.randn(64, 40), torch.randint(0, 5, (64,))
    optimizer.zero_grad()
    for x, y in zip(inputs.chunk(4), labels.chunk(4)):
        (criterion(model(x), y) / 4).backward()
    optimizer.step()
