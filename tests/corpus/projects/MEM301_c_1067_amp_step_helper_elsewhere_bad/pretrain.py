import torch
import torch.nn as nn

import utils

net = nn.Sequential(nn.Linear(128, 512), nn.ReLU(), nn.Linear(512, 128))
net = utils.to_half(net.cuda())  #! MEM301
opt = torch.optim.Adam(net.parameters(), 1e-3)
for x in torch.utils.data.DataLoader(torch.load("x.pt"), 64):
    x = x.cuda().half()
    opt.zero_grad()
    loss = (net(x) - x).pow(2).mean()
    loss.backward()
    opt.step()
