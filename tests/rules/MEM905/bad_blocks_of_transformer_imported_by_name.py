# blocks of a transformer, imported by name

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Encoder(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.embed = nn.Embedding(1000, width)
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(width, 4) for _ in range(depth))

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = checkpoint(block, x)  #! MEM905 warning
        return x


encoder = Encoder(64, 4)
optimizer = torch.optim.Adam(encoder.parameters())
for ids in torch.randint(0, 1000, (10, 8, 16)):
    optimizer.zero_grad()
    encoder(ids).mean().backward()
    optimizer.step()
