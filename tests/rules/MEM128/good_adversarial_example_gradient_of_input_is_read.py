# an adversarial example: the gradient of the input is read

import torch

net = torch.nn.Linear(10, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loader = [(torch.randn(4, 10), torch.tensor([0, 1, 0, 1]))]
ce = torch.nn.CrossEntropyLoss()
for x, y in loader:
    x.requires_grad_()
    ce(net(x), y).backward()
    bad = (x + 0.1 * x.grad.sign()).detach()
    opt.zero_grad()
    ce(net(bad), y).backward()
    opt.step()
