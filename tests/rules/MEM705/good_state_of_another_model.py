# the large model is filled from another one in memory, the small one from a file

import torch
from torch import nn

large = nn.Linear(20000, 20000)
twin = nn.Linear(20000, 20000)
twin.load_state_dict(large.state_dict())
head = nn.Linear(20000, 2)
head.load_state_dict(torch.load("head.pt"))
