# claim: CORRECT, expected: confirmed (the cached copies of the weights are used for ever)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(64, 32, device=device), torch.randint(0, 10, (64,), device=device)
with torch.autocast(device, dtype=torch.bfloat16):
    for _ in range(25):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(loss.item())
