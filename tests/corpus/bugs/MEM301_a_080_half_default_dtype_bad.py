import torch
from torch import nn

torch.manual_seed(0)
torch.set_default_dtype(torch.float16)  #! MEM301
torch.set_default_device("cuda")

model = nn.Sequential(nn.Linear(512, 1024), nn.GELU(), nn.Linear(1024, 512))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)

for step in range(2000):
    x = torch.randn(128, 512)
    loss = ((model(x) - x.flip(1)) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        print(step, loss.item())
