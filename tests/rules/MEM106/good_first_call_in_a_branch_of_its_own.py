# the first batch is taken without a state, and so is each one after the state was given up or detached

import torch
from torch import nn
from torch.nn import functional as F

rnn = nn.GRU(4, 8, batch_first=True)
head = nn.Linear(8, 3)
opt = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
batches = torch.utils.data.DataLoader([(torch.randn(5, 4), 1)] * 32, 8)

h = None
for x, y in batches:
    opt.zero_grad()
    if h is None:
        out, h = rnn(x)
    else:
        out, h = rnn(x, h.detach())
    F.cross_entropy(head(out[:, -1]), y).backward()
    opt.step()

h = None
for x, y in batches:
    opt.zero_grad()
    if h is None:
        h = torch.zeros(1, 8, 8)
    out, h = rnn(x, h)
    F.cross_entropy(head(out[:, -1]), y).backward()
    opt.step()
    h = None

for x, y in batches:
    h = None
    opt.zero_grad()
    for row in x.unbind(1):
        if h is None:
            out, h = rnn(row[:, None])
        else:
            out, h = rnn(row[:, None], h)
    F.cross_entropy(head(out[:, -1]), y).backward()
    opt.step()
