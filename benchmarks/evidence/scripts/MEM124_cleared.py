# claim: CORRECT, expected: confirmed (the step uses the gradients of the last of four backward() calls)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(32, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulation_steps = 4
for i in range(100):
    x, y = torch.randn(16, 32, device=device), torch.randint(0, 4, (16,), device=device)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y) / accumulation_steps
    loss.backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
print(loss.item())
