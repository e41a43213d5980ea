# claim: PEAK, expected: confirmed (zeroed gradients lie beside the activations of the next forward pass)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
layers = [layer for _ in range(4) for layer in (nn.Linear(512, 512), nn.ReLU())]
model = nn.Sequential(*layers, nn.Linear(512, 8)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(25):
    x, y = torch.randn(1024, 512, device=device), torch.randint(0, 8, (1024,), device=device)
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=False)
print(loss.item())
