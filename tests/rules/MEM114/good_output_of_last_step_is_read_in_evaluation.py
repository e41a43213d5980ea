# the output of the last step is read in the evaluation

import torch

net = torch.nn.Linear(8, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(4, 2, 8):
    last = net(x)
    last.pow(2).mean().backward()
    opt.step()
    opt.zero_grad()
net.eval()
with torch.no_grad():
    for batch in torch.randn(2, 200, 8):
        print((net(batch).mean(0) - last.mean(0)).abs().sum().item())
