# claim: PEAK, expected: confirmed (the gradients of the last step lie beside this forward's activations)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(*[nn.Linear(512, 512) for _ in range(6)], nn.Linear(512, 4)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, foreach=False)
for _ in range(25):
    x, y = torch.randn(512, 512, device=device), torch.randint(0, 4, (512,), device=device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
