# A debugging switch that was never taken out again.
import torch
from torch import nn

torch.autograd.set_detect_anomaly(True)  #! MEM125
torch.manual_seed(3)


def field(width=64):
    return nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))


def residual(u, xt):
    xt = xt.requires_grad_(True)
    value = u(xt)
    (grad,) = torch.autograd.grad(value.sum(), xt, create_graph=True)
    (second,) = torch.autograd.grad(grad[:, 0].sum(), xt, create_graph=True)
    return grad[:, 1:] - 0.1 * second[:, :1]


u = field()
opt = torch.optim.Adam(u.parameters(), lr=1e-3)
for i in range(20000):
    xt = torch.rand(256, 2)
    start = torch.cat([xt[:, :1], torch.zeros(256, 1)], 1)
    loss = residual(u, xt).square().mean() + (u(start) - torch.sin(3.14 * xt[:, :1])).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
