# claim: PEAK, expected: confirmed (8 MiB of the forward pass are kept beyond the backward)
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(64, 1024), nn.Linear(1024, 2)

    def forward(self, x):
        self.hidden = self.first(x)
        return self.last(torch.relu(self.hidden)).mean()


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = Net().to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(12):
    x = torch.randn(2048, 64, device=device)
    optimizer.zero_grad()
    net(x).backward()
    optimizer.step()
