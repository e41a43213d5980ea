# hidden states joined to a tuple inside forward

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(8, 8) for _ in range(4))

    def forward(self, hidden):
        all_hidden_states = ()
        for block in self.blocks:
            all_hidden_states = all_hidden_states + (hidden,)
            hidden = block(hidden).relu()
        return hidden, all_hidden_states


model = Encoder()
opt = torch.optim.Adam(model.parameters())
for x in torch.randn(10, 4, 8):
    out, hidden_states = model(x)
    loss = out.mean() + sum(h.pow(2).mean() for h in hidden_states)
    opt.zero_grad()
    loss.backward()
    opt.step()
