# a closure clears before its forward

import torch

net = torch.nn.Linear(4, 2)
opt = torch.optim.LBFGS(net.parameters())
x = torch.randn(8, 4)
for _ in range(4):
    def closure():
        opt.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        return loss

    opt.step(closure)
