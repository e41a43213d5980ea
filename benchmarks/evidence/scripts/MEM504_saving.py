# claim: STATIC, expected: not_reached (there is no CUDA device to cap)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
if device == "cuda":
    # use less memory
    torch.cuda.set_per_process_memory_fraction(0.5)
model = nn.Linear(64, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(25):
    x, y = torch.randn(64, 64, device=device), torch.randint(0, 4, (64,), device=device)
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
