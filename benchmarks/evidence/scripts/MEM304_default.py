# claim: PEAK, expected: confirmed (weights, gradients, state and activations take twice the bytes)
import torch
from torch import nn

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(128, 512), nn.ReLU(), nn.Linear(512, 10)).to(device)
optimizer = torch.optim.Adam(model.parameters())
for _ in range(25):
    x, y = torch.randn(256, 128, device=device), torch.randint(0, 10, (256,), device=device)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
print(loss.item())
