# claim: GROWTH-HOST, expected: confirmed (two or more autograd nodes per averaged tensor and step)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4)).to(device)
average = {name: p.detach().clone() for name, p in model.named_parameters()}
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(40):
    x, y = torch.randn(64, 64, device=device), torch.randint(0, 4, (64,), device=device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    for name, p in model.named_parameters():
        average[name] = 0.9 * average[name] + 0.1 * p
print(loss.item())
