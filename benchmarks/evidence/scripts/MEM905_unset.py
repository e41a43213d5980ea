# claim: CORRECT, expected: confirmed (torch asks for use_reentrant to be passed)
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
first, second = nn.Linear(32, 64).to(device), nn.Linear(64, 4).to(device)
optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.1)
for _ in range(25):
    x, y = torch.randn(64, 32, device=device), torch.randint(0, 4, (64,), device=device)
    hidden = first(x)
    out = checkpoint(second, hidden)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(out, y)
    loss.backward()
    optimizer.step()
print(loss.item())
