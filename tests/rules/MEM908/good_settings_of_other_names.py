# neither assignment is one of a misspelt requires_grad

from torch import nn

net = nn.Linear(2, 2)
net.requires_input = False
net.grad_required = True
net.requires_grad_(False)
