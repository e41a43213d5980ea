# claim: GROWTH, expected: confirmed (P with every step)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(64, 2000, bias=False), nn.ReLU(), nn.Linear(2000, 64, bias=False)).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
history = []
for _ in range(20):
    x = torch.randn(16, 64, device=device)
    optimizer.zero_grad()
    net(x).mean().backward()
    history.append([p.grad for p in net.parameters()])
    optimizer.step()
