# claim: PEAK, expected: confirmed (backward builds an autograd graph of its own on top of the activations)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(64, 512), nn.Tanh(), nn.Linear(512, 512), nn.Tanh(), nn.Linear(512, 4)).to(
    device
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(25):
    x, y = torch.randn(512, 64, device=device), torch.randint(0, 4, (512,), device=device)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward(create_graph=True)
    optimizer.step()
    print(loss.item())
