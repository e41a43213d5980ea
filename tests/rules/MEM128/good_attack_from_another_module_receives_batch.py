# an attack from another module receives the batch

import torch

from project.attacks import perturb

net = torch.nn.Linear(10, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loader = [(torch.randn(4, 10), torch.tensor([0, 1, 0, 1]))]
for x, y in loader:
    x.requires_grad_()
    loss = torch.nn.functional.cross_entropy(net(perturb(net, x, y)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
