# claim: GROWTH, expected: confirmed (an output on its own context is never freed)
import torch
from torch import nn


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.y = y
        return y

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.y


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Linear(64, 256).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=1e-6)
for _ in range(25):
    x = torch.randn(256, 64, device=device)
    optimizer.zero_grad()
    Exp.apply(net(x)).mean().backward()
    optimizer.step()
