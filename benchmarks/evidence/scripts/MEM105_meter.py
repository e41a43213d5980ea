# claim: GROWTH-HOST, expected: confirmed (0 bytes of tensors, autograd nodes in host memory)
import torch
from torch import nn


class AverageMeter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10)).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
meter = AverageMeter()
for _ in range(25):
    x, y = torch.randn(64, 64, device=device), torch.randint(0, 10, (64,), device=device)
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meter.update(loss, x.size(0))
print(meter.sum / meter.count)
