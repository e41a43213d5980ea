# claim: PEAK, expected: confirmed (four graphs at once, then one graph and the gradients)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(32, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 4)).to(
    device
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(25):
    optimizer.zero_grad()
    total = 0
    for _ in range(4):
        x, y = torch.randn(512, 32, device=device), torch.randint(0, 4, (512,), device=device)
        total += nn.functional.cross_entropy(model(x), y) / 4
    total.backward()
    optimizer.step()
