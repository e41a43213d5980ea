# claim: STATIC, expected: not_measurable (it is about CUDA's allocator and about no bytes of its own)
import os

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(64, 4).to(device)
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(25):
    x, y = torch.randn(64, 64, device=device), torch.randint(0, 4, (64,), device=device)
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
