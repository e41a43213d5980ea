# claim: PEAK, expected: confirmed (1 %: only gradients and logits, as nothing names the graph afterwards)
import torch
from torch import nn


def step(model, optimizer, x, y):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
    return loss.item()


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
layers = [layer for _ in range(4) for layer in (nn.Linear(64, 64), nn.Tanh())]
model = nn.Sequential(*layers, nn.Linear(64, 4)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(25):
    x, y = torch.randn(8192, 64, device=device), torch.randint(0, 4, (8192,), device=device)
    last = step(model, optimizer, x, y)
print(last)
