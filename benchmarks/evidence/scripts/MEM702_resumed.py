# claim: PEAK, expected: confirmed (the loaded weights lie beside those of the model)
import io

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 4))
file = io.BytesIO()
torch.save({"model": model.state_dict(), "epoch": 3}, file)
file.seek(0)
checkpoint = torch.load(file, map_location=device)
model.to(device)
model.load_state_dict(checkpoint["model"])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(25):
    x, y = torch.randn(64, 256, device=device), torch.randint(0, 4, (64,), device=device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
