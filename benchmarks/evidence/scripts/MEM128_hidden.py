# claim: PEAK, expected: confirmed (the gradient of a tensor that nothing reads)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
body = nn.Sequential(nn.Linear(32, 512), nn.Tanh()).to(device)
head = nn.Sequential(nn.Linear(512, 512), nn.Tanh(), nn.Linear(512, 4)).to(device)
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for _ in range(25):
    x, y = torch.randn(512, 32, device=device), torch.randint(0, 4, (512,), device=device)
    hidden = body(x)
    hidden.retain_grad()
    loss = nn.functional.cross_entropy(head(hidden), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
