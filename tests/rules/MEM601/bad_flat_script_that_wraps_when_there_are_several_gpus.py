# flat script that wraps when there are several GPUs

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(nn.Linear(50, 200), nn.ReLU(), nn.Linear(200, 5)).to(device)
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)  #! MEM601 warning
optimizer = torch.optim.Adam(model.parameters())
for step in range(100):
    optimizer.zero_grad()
    model(torch.randn(64, 50, device=device)).square().mean().backward()
    optimizer.step()
