# claim: GROWTH, expected: host_only (the scalar stays either way; the autograd nodes need not)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10)).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
losses = []
for _ in range(25):
    x, y = torch.randn(64, 64, device=device), torch.randint(0, 10, (64,), device=device)
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss)
print(sum(value.item() for value in losses) / len(losses))
