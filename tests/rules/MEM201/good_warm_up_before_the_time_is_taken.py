# What nothing reads goes with its graph at once: runs that warm a network up, and those whose time is taken.

import time

import torch

from networks import build

model = build("large").cuda().eval()
picture = torch.randn(1, 3, 224, 224, device="cuda")
for _ in range(10):
    model(picture)
torch.cuda.synchronize()
start = time.perf_counter()
for _ in range(100):
    _ = model(picture)
torch.cuda.synchronize()
print(time.perf_counter() - start)
