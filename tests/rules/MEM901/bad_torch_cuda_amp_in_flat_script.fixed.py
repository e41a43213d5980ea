# torch.cuda.amp in a flat script

import torch
from torch import nn
from torch.cuda import amp

model = nn.Linear(32, 4).cuda()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters())
scaler = torch.amp.GradScaler("cuda")
for step in range(100):
    data = torch.randn(16, 32, device="cuda")
    target = torch.randint(0, 4, (16,), device="cuda")
    optimizer.zero_grad()
    with amp.autocast():
        loss = criterion(model(data), target)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
