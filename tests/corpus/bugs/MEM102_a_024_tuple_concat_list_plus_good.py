import torch
import torch.nn as nn


def pinn_residual(model, x, t):
    x.requires_grad_(True)
    t.requires_grad_(True)
    u = model(torch.cat([x, t], 1))
    u_t = torch.autograd.grad(u.sum(), t, create_graph=True)[0]
    u_x = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    u_xx = torch.autograd.grad(u_x.sum(), x, create_graph=True)[0]
    return u_t + u * u_x - (0.01 / torch.pi) * u_xx


model = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loss_hist = []
for it in range(15000):
    optimizer.zero_grad()
    x = torch.rand(256, 1) * 2 - 1
    t = torch.rand(256, 1)
    res = pinn_residual(model, x, t)
    ic = model(torch.cat([x, torch.zeros_like(t)], 1)) + torch.sin(torch.pi * x)
    loss = (res ** 2).mean() + (ic ** 2).mean()
    loss.backward()
    optimizer.step()
    loss_hist += [loss.item()]
    if it % 1000 == 0:
        print(it, float(loss_hist[-1]))
