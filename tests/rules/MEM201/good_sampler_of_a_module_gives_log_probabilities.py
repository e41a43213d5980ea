# the log-probabilities leave with their graph: somebody may train with them

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
        x, state, letters, logp = torch.tensor([first]), None, [], 0
        for _ in range(count):
            logits, state = self(x, state)
            x = logits.softmax(-1).multinomial(1)[0]
            logp = logp + logits.log_softmax(-1).gather(1, x[:, None])
            letters.append(x.item())
        return letters, logp
