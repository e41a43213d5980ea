import torch
from util import choose

choose()
print(torch.nn.Linear(3, 3).to("cuda:2"))
