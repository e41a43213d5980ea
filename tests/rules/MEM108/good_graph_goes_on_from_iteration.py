# the graph goes on from the iteration before

import torch

cell = torch.nn.GRUCell(3, 5)
h = torch.zeros(2, 5)
total = 0
for x in torch.randn(10, 2, 3):
    h = cell(x, h)
    total = total + h.pow(2).mean()
    total.backward(retain_graph=True)
