# deleted after its use

import torch

net = torch.nn.Linear(64, 1000)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(10, 8, 64):
    opt.zero_grad()
    out = net(x)
    out.sum().backward()
    opt.step()
    probs = out.softmax(-1)
    print(probs.max().item())
    del probs
