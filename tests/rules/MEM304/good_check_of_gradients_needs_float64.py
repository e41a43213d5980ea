# a check of gradients needs float64

import torch

layer = torch.nn.Linear(3, 2).double().to("cuda")
x = torch.randn(4, 3, dtype=torch.float64, requires_grad=True, device="cuda")
print(torch.autograd.gradcheck(layer, (x,)))
