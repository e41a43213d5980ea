# claim: CORRECT, expected: confirmed (each prediction is compared with each target)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(500, 8, device=device)
y = torch.randn(500, device=device)
model, loss_fn = nn.Linear(8, 1).to(device), nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(12):
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
