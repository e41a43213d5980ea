# a reconstruction compared by L1 whose last layer is a tanh: tanh saves its own result for backward

import torch
from torch import nn

decoder = nn.Sequential(nn.Linear(16, 768), nn.Tanh())
opt = torch.optim.Adam(decoder.parameters())
l1 = nn.L1Loss()
for _ in range(10):
    z = torch.randn(4, 16)
    image = decoder(z)
    loss = l1(image, torch.zeros(4, 768))
    opt.zero_grad()
    loss.backward()
    opt.step()
