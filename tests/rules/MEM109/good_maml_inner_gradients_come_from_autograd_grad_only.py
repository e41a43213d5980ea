# MAML: the inner gradients come from autograd.grad, only the outer loss runs backward

import torch

w = torch.nn.Parameter(torch.randn(4, 1))
meta = torch.optim.SGD([w], lr=0.01)
for task in torch.randn(6, 2, 8, 4):
    support, query = task
    inner = (support @ w).pow(2).mean()
    (g,) = torch.autograd.grad(inner, w, create_graph=True)
    outer = (query @ (w - 0.1 * g)).abs().mean()
    meta.zero_grad()
    outer.backward()
    meta.step()
