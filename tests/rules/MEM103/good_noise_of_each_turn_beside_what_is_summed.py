# a sum stays as large as it was

import torch
from gan import Generator

painter = Generator().cuda().eval()
total = torch.zeros(3, 64, 64, device="cuda")
with torch.no_grad():
    for _ in range(200):
        total += painter(torch.randn(64, 100, device="cuda")).mean(0)
print((total / 200).cpu())
