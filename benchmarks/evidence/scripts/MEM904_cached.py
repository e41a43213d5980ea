# claim: STATIC, expected: not_measurable (a warning is no matter of bytes)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(64, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(25):
    optimizer.zero_grad()
    model(torch.randn(64, 64, device=device)).pow(2).mean().backward()
    optimizer.step()
    print(torch.cuda.memory_cached())
