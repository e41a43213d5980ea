# a file of quantised weights is read as it is

import torch
from torch import nn

net = nn.Linear(20000, 20000)
net.load_state_dict(torch.load("net_int8.pt"))
