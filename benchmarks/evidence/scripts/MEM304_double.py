# claim: PEAK, expected: inconclusive (no fix to compare with: its inputs have to be cast as well)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(128, 512), nn.ReLU(), nn.Linear(512, 10)).double().to(device)
optimizer = torch.optim.Adam(model.parameters())
for _ in range(25):
    x, y = torch.randn(256, 128, device=device), torch.randint(0, 10, (256,), device=device)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x.to(model[0].weight.dtype)), y)
    loss.backward()
    optimizer.step()
print(loss.item())
