# functional derivatives fill no .grad

import torch
from torch.func import functional_call, grad, vmap

model = torch.nn.Linear(3, 1)
params = dict(model.named_parameters())


def loss(p, x):
    return functional_call(model, p, (x,)).pow(2).sum()


per_sample = vmap(grad(loss), in_dims=(None, 0))(params, torch.randn(7, 3))
hessian = torch.autograd.functional.hessian(lambda x: x.pow(3).sum(), torch.ones(2), create_graph=True)
loss(params, torch.randn(3)).backward()
