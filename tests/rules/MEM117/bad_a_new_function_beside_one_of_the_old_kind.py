# one function of the old kind, which torch refuses, excuses no other

import torch
from torch.autograd import Function


class Old(Function):
    def forward(self, x):
        self.kept = x
        return x.exp()


class New(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.a, ctx.b = a, b  #! MEM117 warning
        return a * b

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.b, grad * ctx.a


def run(net, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        New.apply(net(x), y.exp()).sum().backward()
        optimizer.step()
