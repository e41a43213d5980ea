# a helper runs the step, the loop keeps a copy of its output

import torch

net = torch.nn.Linear(20, 3000)
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def one_step(x):
    opt.zero_grad()
    out = net(x)
    out.pow(2).mean().backward()
    opt.step()
    return out


def run():
    for x in torch.randn(6, 4, 20):
        out = one_step(x)
        squashed = torch.sigmoid(out)  #! MEM113 advice
        print((squashed > 0.5).sum().item())


run()
