# Every sequence starts with a state of its own: what is carried ends with the sequence.
import torch
from torch import nn


def unroll(cell, sequence):
    state = sequence.new_zeros(sequence.shape[1], cell.hidden_size)
    outputs = []
    for frame in sequence:
        state = cell(frame, state)
        outputs.append(state)
    return torch.stack(outputs)


cell, head = nn.GRUCell(4, 24), nn.Linear(24, 1)
params = list(cell.parameters()) + list(head.parameters())
optimizer = torch.optim.Adam(params)
for sample in range(120):
    sequence = torch.randn(15, 8, 4)
    loss = (head(unroll(cell, sequence)) - sequence.cumsum(0)[..., :1]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(params, 1.0)
    optimizer.step()
