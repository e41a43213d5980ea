# claim: PEAK, expected: confirmed (the skipped batch's graph lies beside that of the next)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(32, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 1)).to(
    device
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(60):
    x = torch.randn(512, 32, device=device)
    if step % 3 == 1:
        x[0, 0] = float("nan")
    loss = model(x).square().mean()
    if not torch.isfinite(loss):
        print("skipped", step)
        continue
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
