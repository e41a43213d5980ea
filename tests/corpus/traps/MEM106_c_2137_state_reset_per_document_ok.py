# The state is made again with each document, so nothing is carried from step to step.
import torch
from torch import nn

cell, out = nn.GRUCell(24, 24), nn.Linear(24, 1)
opt = torch.optim.SGD([*cell.parameters(), *out.parameters()], lr=0.01)
for document in torch.randn(100, 12, 24):
    memory, scores = torch.zeros(1, 24), []
    for sentence in document:
        memory = cell(sentence[None], memory)
        scores.append(out(memory).squeeze(-1))
    loss = (torch.cat(scores) - document.mean(1)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
