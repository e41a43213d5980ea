# a recursive helper detaches, for tuples and tensors alike

import torch
from torch import nn


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb, self.rnn, self.dec = nn.Embedding(9, 8), nn.LSTM(8, 8), nn.Linear(8, 9)

    def forward(self, x, hidden):
        y, hidden = self.rnn(self.emb(x), hidden)
        return self.dec(y), hidden


def train(model, data, lr):
    hidden = (torch.zeros(1, 4, 8), torch.zeros(1, 4, 8))
    for i in range(0, len(data) - 5, 5):
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        out, hidden = model(data[i : i + 5], hidden)
        loss = nn.functional.cross_entropy(out.flatten(0, 1), data[i + 1 : i + 6].flatten())
        loss.backward()
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)


train(LM(), torch.randint(0, 9, (60, 4)), 1.0)
