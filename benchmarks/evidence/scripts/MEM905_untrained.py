# claim: CORRECT, expected: confirmed (no input requires grad, so the reentrant way records nothing)
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
encoder = nn.Sequential(nn.Linear(32, 64), nn.ReLU()).to(device)
head = nn.Linear(64, 4).to(device)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
for _ in range(25):
    x, y = torch.randn(64, 32, device=device), torch.randint(0, 4, (64,), device=device)
    hidden = checkpoint(encoder, x)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(head(hidden), y)
    loss.backward()
    optimizer.step()
print(loss.item())
