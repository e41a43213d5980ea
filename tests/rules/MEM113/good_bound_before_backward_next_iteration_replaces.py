# bound before the backward: the next iteration replaces it before its peak

import torch

net = torch.nn.Linear(64, 1000)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(10, 8, 64):
    opt.zero_grad()
    out = net(x)
    probs = out.softmax(-1)
    loss = probs.pow(2).sum()
    loss.backward()
    opt.step()
    print(probs.max().item())
