# claim: PEAK, expected: confirmed (the traceback keeps the failing frames while the batch is tried again)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(64, 512), nn.Tanh(), nn.Linear(512, 512), nn.Tanh(), nn.Linear(512, 4)).to(
    device
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
limit = 512


def step(x, y):
    hidden = model[:4](x)
    if len(x) > limit:
        raise torch.OutOfMemoryError("stands for a device that is full at this point")
    loss = nn.functional.cross_entropy(model[4](hidden), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


for _ in range(13):
    x, y = torch.randn(1024, 64, device=device), torch.randint(0, 4, (1024,), device=device)
    try:
        step(x, y)
    except torch.OutOfMemoryError:
        step(x[:512], y[:512])
        step(x[512:], y[512:])
