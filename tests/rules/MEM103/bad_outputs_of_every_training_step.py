# the outputs of every training step, whose loop counts steps

import torch
from simulation import state

net = torch.nn.Linear(64, 4096).cuda()
opt = torch.optim.Adam(net.parameters())
trail = []
for step in range(5000):
    out = net(state(step).cuda())
    loss = out.square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    trail.append(out.detach())  #! MEM103 warning
