# a sequence of a few steps, and a long one whose state is detached or runs under no_grad

import torch
from torch import nn

gru = nn.GRU(64, 128).cuda()
state = None
for _ in range(50):
    out, state = gru(torch.rand(1, 16, 64, device="cuda"), state)
print(out.mean().item())

state = None
for _ in range(5000):
    out, state = gru(torch.rand(1, 16, 64, device="cuda"), state)
    state = state.detach()
print(out.mean().item())

state = None
with torch.no_grad():
    for _ in range(5000):
        out, state = gru(torch.rand(1, 16, 64, device="cuda"), state)
print(out.mean().item())
