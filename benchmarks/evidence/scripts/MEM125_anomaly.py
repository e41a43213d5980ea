# claim: TIME, expected: confirmed (every operation keeps a stack trace; a small step suffers more than x1.9)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.autograd.set_detect_anomaly(True)
layers = [layer for _ in range(6) for layer in (nn.Linear(256, 256), nn.ReLU())]
model = nn.Sequential(*layers, nn.Linear(256, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(150):
    x, y = torch.randn(64, 256, device=device), torch.randint(0, 10, (64,), device=device)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
print(loss.item())
