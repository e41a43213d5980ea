# helper that runs one chunk and returns the state to the loop

import torch
from torch import nn

frames = torch.randn(60, 2, 5)
rnn = nn.GRU(5, 12)
proj = nn.Linear(12, 5)
optim = torch.optim.AdamW([{"params": rnn.parameters()}, {"params": proj.parameters()}])


def advance(chunk, state):
    encoded, new_state = rnn(chunk[:-1], state)  #! MEM106 error
    return (proj(encoded) - chunk[1:]).pow(2).mean(), new_state


state = torch.zeros(1, 2, 12)
position = 0
while position + 10 <= len(frames):
    error, state = advance(frames[position : position + 10], state)
    optim.zero_grad()
    error.backward()
    optim.step()
    position += 10
