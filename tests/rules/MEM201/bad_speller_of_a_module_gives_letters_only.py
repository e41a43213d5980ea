# whoever calls it gets numbers: no graph leaves, whatever their grad mode

import torch
from torch import nn


class Speller(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.cell, self.out = nn.Embedding(30, 8), nn.LSTMCell(8, 8), nn.Linear(8, 30)

    def forward(self, x, state=None):
        state = self.cell(self.emb(x), state)
        return self.out(state[0]), state

    def spell(self, first, count):
        x, state, letters = torch.tensor([first]), None, []
        for _ in range(count):
            logits, state = self(x, state)  #! MEM201 warning
            x = logits.argmax(-1)
            letters.append(x.item())
        return letters
