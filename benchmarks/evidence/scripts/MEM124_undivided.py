# claim: CORRECT, expected: confirmed (four losses are added up at full weight)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(32, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer.zero_grad()
for i in range(100):
    x, y = torch.randn(16, 32, device=device), torch.randint(0, 4, (16,), device=device)
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
print(loss.item())
