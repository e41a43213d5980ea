# second derivatives: the first backward creates the graph that the second one uses

import torch

model = torch.nn.Sequential(torch.nn.Linear(3, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
opt = torch.optim.LBFGS(model.parameters())
points = torch.rand(50, 3, requires_grad=True)


def closure():
    opt.zero_grad()
    u = model(points)
    (du,) = torch.autograd.grad(u.sum(), points, create_graph=True, retain_graph=True)
    loss = du.pow(2).sum(1).sub(1).pow(2).mean() + u.pow(2).mean()
    loss.backward()
    return loss


for _ in range(5):
    opt.step(closure)
