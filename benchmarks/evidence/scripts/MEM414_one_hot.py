# claim: PEAK, expected: confirmed (the integers live beside the vectors of the loss)
import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(16, 2000).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(12):
    x, y = torch.randn(512, 16, device=device), torch.randint(0, 2000, (512,), device=device)
    optimizer.zero_grad()
    target = nn.functional.one_hot(y, 2000)
    loss = nn.functional.cross_entropy(model(x), target.float())
    loss.backward()
    optimizer.step()
