# second-order meta-learning differentiates inside the loop

import torch
from torch.func import functional_call

model = torch.nn.Linear(3, 1)
meta = torch.optim.Adam(model.parameters())
for tasks in torch.randn(5, 4, 2, 6, 3):
    meta_loss = 0
    for support, query in tasks:
        fast = dict(model.named_parameters())
        inner = functional_call(model, fast, (support,)).pow(2).mean()
        grads = torch.autograd.grad(inner, list(fast.values()), create_graph=True)
        fast = {k: v - 0.1 * g for (k, v), g in zip(fast.items(), grads)}
        meta_loss = meta_loss + functional_call(model, fast, (query,)).pow(2).mean()
    meta.zero_grad()
    meta_loss.backward()
    meta.step()
