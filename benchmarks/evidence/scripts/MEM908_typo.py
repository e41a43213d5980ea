# claim: STATIC, expected: not_measurable (the claim is about what the assignment does, not about bytes)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
backbone = nn.Sequential(nn.Linear(64, 256), nn.ReLU()).to(device)
head = nn.Linear(256, 8).to(device)
for parameter in backbone.parameters():
    parameter.require_grad = False
optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
for _ in range(25):
    x = torch.randn(64, 64, device=device)
    optimizer.zero_grad()
    head(backbone(x)).pow(2).mean().backward()
    optimizer.step()
