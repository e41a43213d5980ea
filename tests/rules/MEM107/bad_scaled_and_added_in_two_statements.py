# scaled and added in two statements

import torch

net = torch.nn.Linear(4, 2)
kept = {name: p.detach().clone() for name, p in net.named_parameters()}
opt = torch.optim.Adam(net.parameters())
for x in torch.randn(30, 6, 4):
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    opt.step()
    for name, p in net.named_parameters():
        kept[name] *= 0.99
        kept[name] += 0.01 * p  #! MEM107 warning
