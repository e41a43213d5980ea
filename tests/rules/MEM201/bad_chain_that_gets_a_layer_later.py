# a filter comes first, and a layer with weights is appended to it

import torch
from torch import nn

chain = nn.Sequential(nn.Flatten())
chain.append(nn.Linear(784, 10))
chain.eval()
right = 0
for x, y in torch.load("batches.pt"):
    right += (chain(x).argmax(1) == y).sum().item()  #! MEM201 error
