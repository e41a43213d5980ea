# tensors that are trained themselves, alone and in a list

import torch


def manual(loader):
    w = torch.randn(784, 10, requires_grad=True)
    b = torch.zeros(10)
    b.requires_grad_()
    optimizer = torch.optim.SGD([w, b], lr=0.1)
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(x @ w + b, y)
        loss.backward()
        optimizer.step()
        w.grad.zero_()
        b.grad.zero_()


def listed(loader):
    params = [torch.randn(3, 3), torch.zeros(3)]
    for p in params:
        p.requires_grad = True
    optimizer = torch.optim.SGD(params, lr=0.1)
    for x in loader:
        loss = (x @ params[0] + params[1]).sum()
        loss.backward()
        optimizer.step()
        for p in params:
            p.grad.zero_()


def picture(loader, net, start):
    z = start.clone().cuda()
    z.requires_grad = True
    optimizer = torch.optim.Adam([z])
    for x in loader:
        loss = (net(z) - x).pow(2).mean()
        loss.backward()
        optimizer.step()
        z.grad.zero_()
