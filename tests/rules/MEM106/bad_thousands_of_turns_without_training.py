# nothing trains, and a cell goes on with its own state for thousands of turns

import torch
from torch import nn

cell = nn.RNNCell(64, 128).cuda()
hidden = torch.zeros(16, 128, device="cuda")
for i in range(10_000):
    hidden = cell(torch.rand(16, 64, device="cuda"), hidden)  #! MEM106 error
    if i % 100 == 0:
        print(i, hidden.norm().item())

gru, state = nn.GRU(64, 128).cuda(), None
for i in range(5000):
    out, state = gru(torch.rand(1, 16, 64, device="cuda"), state)  #! MEM106 error
    print(out.mean().item())
