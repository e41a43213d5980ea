# Large batches by summing the losses of small ones, with one backward at the end of the window.
import torch
from torch import nn

ACCUM = 8
net = nn.Sequential(nn.Conv2d(3, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, 3, 3, padding=1)).cuda()
opt = torch.optim.Adam(net.parameters(), lr=1e-4)
total = 0
for i in range(8000):
    noisy = torch.rand(4, 3, 256, 256, device="cuda")
    loss = (net(noisy) - noisy.clamp(0.2, 0.8)).abs().mean() / ACCUM
    total = total + loss  #= MEM118
    if (i + 1) % ACCUM == 0:
        total.backward()  #! MEM118
        opt.step()
        opt.zero_grad()
        total = 0
