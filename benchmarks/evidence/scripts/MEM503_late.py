# claim: STATIC, expected: not_measurable (which GPU the script uses is not a matter of bytes)
import os

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
model = nn.Linear(64, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(25):
    x, y = torch.randn(64, 64, device=device), torch.randint(0, 4, (64,), device=device)
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
