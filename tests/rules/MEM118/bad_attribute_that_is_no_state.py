# a name on the network is no state: the chunks of a batch need nothing of each other

import torch

net = torch.nn.Linear(32, 1)
net.title = "regression"
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in torch.randn(20, 64, 32):
    opt.zero_grad()
    total = 0
    for part in batch.chunk(4):
        total += net(part).pow(2).mean()  #! MEM118 warning
    total.backward()
    opt.step()
