# helper called by the loop, with Hessian-vector products afterwards

import torch

model = torch.nn.Linear(8, 8)
params = list(model.parameters())


def sharpness(batch):
    model.zero_grad()
    objective = torch.tanh(model(batch)).pow(2).sum()
    torch.autograd.backward(objective, create_graph=True)  #! MEM109 warning
    grads = [p.grad for p in params]
    direction = [torch.randn_like(p) for p in params]
    products = torch.autograd.grad(grads, params, grad_outputs=direction)
    return sum((h * d).sum() for h, d in zip(products, direction)).item()


values = [sharpness(torch.randn(5, 8)) for _ in range(30)]
