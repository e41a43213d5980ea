# the gradients are taken by autograd.grad from the sum itself (second-order meta learning)

import torch
import torch.nn.functional as F

w = torch.randn(5, 1, requires_grad=True)
meta_opt = torch.optim.Adam([w], lr=1e-3)
for iteration in range(20):
    meta_loss = 0.0
    for task in range(4):
        x, y = torch.randn(10, 5), torch.randn(10, 1)
        inner = F.mse_loss(x @ w, y)
        (g,) = torch.autograd.grad(inner, w, create_graph=True)
        meta_loss += F.mse_loss(x @ (w - 0.1 * g), y)
    meta_opt.zero_grad()
    meta_loss.backward()
    meta_opt.step()
