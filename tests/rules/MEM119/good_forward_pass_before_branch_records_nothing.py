# the forward pass before the branch records nothing

import torch

net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(20, 3, 4):
    with torch.no_grad():
        easy = net(x).abs().mean() < 0.1
    if easy:
        continue
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
