# half() called mixed precision, with SGD

import torch
import torch.nn as nn

model = nn.Sequential(nn.Linear(1024, 512), nn.ReLU(), nn.Linear(512, 10)).cuda()
model = model.half()  #! MEM301 error
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(3):
    for _ in range(100):
        x = torch.randn(64, 1024, device="cuda").half()
        y = torch.randint(0, 10, (64,), device="cuda")
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
