# claim: PEAK, expected: confirmed (positions copied for each sample, before they are multiplied)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
width = nn.Linear(64, 64).to(device)
optimizer = torch.optim.SGD(width.parameters(), lr=1e-3)
positions = torch.randn(256, 64, device=device)
for _ in range(12):
    x = torch.randn(32, 256, 64, device=device)
    optimizer.zero_grad()
    loss = (width(x) * positions[None, :, :].repeat(len(x), 1, 1)).mean()
    loss.backward()
    optimizer.step()
