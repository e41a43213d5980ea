# flat script: gradients cleared at the top of every iteration

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 4))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulation_steps = 8

for epoch in range(3):
    for i in range(64):
        x, y = torch.randn(4, 20), torch.randint(0, 4, (4,))
        optimizer.zero_grad()  #! MEM124 error
        loss = criterion(model(x), y) / accumulation_steps
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
    print(epoch, loss.item())
