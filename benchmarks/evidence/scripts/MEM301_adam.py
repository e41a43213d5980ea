# claim: CORRECT, expected: confirmed (Adam in float16 gives NaN)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Linear(64, 10).to(device).half()
optimizer = torch.optim.Adam(net.parameters())
for _ in range(25):
    x, y = torch.randn(64, 64, device=device).half(), torch.randint(0, 10, (64,), device=device)
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
