# cleared once after a training loop without epochs, before the evaluation

import torch

net = torch.nn.Linear(10, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(5, 4, 10):
    opt.zero_grad()
    net(x).sum().backward()
    opt.step()
opt.zero_grad()
net.eval()
with torch.no_grad():
    for batch in torch.randn(2, 64, 10):
        print(net(batch).sum().item())
