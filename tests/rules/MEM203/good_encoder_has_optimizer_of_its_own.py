# two optimizers: the encoder has its own

import torch
from torch import nn

encoder, head = nn.Linear(8, 8), nn.Linear(8, 3)
opt_encoder = torch.optim.SGD(encoder.parameters(), lr=0.01)
opt_head = torch.optim.SGD(head.parameters(), lr=0.1)
for x in torch.randn(10, 4, 8):
    loss = head(encoder(x)).pow(2).mean()
    opt_encoder.zero_grad()
    opt_head.zero_grad()
    loss.backward()
    opt_encoder.step()
    opt_head.step()
