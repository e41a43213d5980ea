# the first batch is taken without a state, by a branch: all later ones go on with the state of the one before

import torch
from torch import nn
from torch.nn import functional as F

rnn = nn.GRU(4, 8, batch_first=True)
lstm = nn.LSTM(4, 8, batch_first=True)
head = nn.Linear(8, 3)
opt = torch.optim.SGD([*rnn.parameters(), *lstm.parameters(), *head.parameters()], lr=0.1)
batches = torch.utils.data.DataLoader([(torch.randn(5, 4), 1)] * 32, 8)

h = None
for x, y in batches:
    opt.zero_grad()
    if h is None:
        out, h = rnn(x)
    else:
        out, h = rnn(x, h)  #! MEM106 error
    F.cross_entropy(head(out[:, -1]), y).backward()
    opt.step()

state = None
for x, y in batches:
    opt.zero_grad()
    if not state is None:
        out, state = lstm(x, state)  #! MEM106 error
    else:
        out, state = lstm(x)
    F.cross_entropy(head(out[:, -1]), y).backward()
    opt.step()

begun = None
for x, y in batches:
    opt.zero_grad()
    if begun is None:
        begun = torch.zeros(1, 8, 8)
    out, begun = rnn(x, begun)  #! MEM106 error
    F.cross_entropy(head(out[:, -1]), y).backward()
    opt.step()

for epoch in range(3):
    last = None
    for x, y in batches:
        opt.zero_grad()
        out, last = rnn(x) if last is None else rnn(x, last)  #! MEM106 error
        F.cross_entropy(head(out[:, -1]), y).backward()
        opt.step()
