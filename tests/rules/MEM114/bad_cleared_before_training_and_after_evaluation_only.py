# cleared before the training loop, in each iteration and after the evaluation, but not before it

import torch

net = torch.nn.Linear(1000, 3000)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
opt.zero_grad()
for x in torch.randn(5, 4, 1000):
    opt.zero_grad()  #! MEM114 advice
    net(x).sum().backward()
    opt.step()
net.eval()
with torch.no_grad():
    for batch in torch.randn(2, 64, 1000):
        print(net(batch).sum().item())
opt.zero_grad()
