# attack steps with a zero_grad of their own come before the training step

import torch
import torch.nn.functional as F

model = torch.nn.Linear(20, 5)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in [(torch.randn(6, 20), torch.randint(0, 5, (6,))) for _ in range(4)]:
    delta = torch.zeros_like(x)
    for _ in range(3):
        delta.requires_grad_()
        opt.zero_grad()
        attack = F.cross_entropy(model(x + delta), y)
        (step,) = torch.autograd.grad(attack, delta)
        delta = (delta + 0.1 * step.sign()).detach()
    opt.zero_grad()
    F.cross_entropy(model(x + delta), y).backward()
    opt.step()
