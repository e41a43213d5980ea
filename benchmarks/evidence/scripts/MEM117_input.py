# claim: PEAK, expected: confirmed (the input of one step stays until the next has its loss)
import torch
from torch import nn


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return (x * x).sum()

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad * ctx.x


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Linear(64, 1024).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=1e-6)
for _ in range(25):
    x = torch.randn(2048, 64, device=device)
    loss = Square.apply(net(x))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
