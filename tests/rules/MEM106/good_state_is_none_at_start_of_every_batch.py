# the state is None at the start of every batch

import torch

rnn = torch.nn.GRU(4, 4)
opt = torch.optim.SGD(rnn.parameters(), lr=0.1)
for batch in torch.randn(10, 12, 2, 4):
    state = None
    losses = []
    for piece in batch.split(4):
        out, state = rnn(piece, state)
        losses.append(out.pow(2).mean())
    opt.zero_grad()
    torch.stack(losses).mean().backward()
    opt.step()
