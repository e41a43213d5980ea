# in the forward method of a module

import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.ConvTranspose2d(8, 3, 2, 2)

    def forward(self, x):
        out = self.up(x)
        torch.cuda.empty_cache()  #! MEM501
        return out


decoder = Decoder().cuda()
decoder(torch.randn(2, 8, 4, 4).cuda()).sum().backward()
