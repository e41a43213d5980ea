# segment memory that the model itself stores without a graph

import torch
from torch import nn


class SegmentTransformer(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.block = nn.TransformerEncoderLayer(width, 2, batch_first=True)

    def forward(self, x, mems=None):
        joined = x if mems is None else torch.cat([mems, x], dim=1)
        hidden = self.block(joined)[:, -x.size(1) :]
        with torch.no_grad():
            new_mems = joined[:, -8:].detach()
        return hidden, new_mems


model = SegmentTransformer()
opt = torch.optim.AdamW(model.parameters())
mems = None
for x in torch.randn(6, 2, 8, 12):
    y, mems = model(x, mems)
    loss = (y - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
