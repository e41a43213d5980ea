# claim: CORRECT, expected: confirmed (gradients are summed over steps)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Linear(64, 10).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(25):
    x, y = torch.randn(64, 64, device=device), torch.randint(0, 10, (64,), device=device)
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    optimizer.step()
print(loss.item())
