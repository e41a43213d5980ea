# `photometric` is no metric: its result is the loss, so this is a training loop

import torch
from parts import FlowNet, Pairs, photometric

net = FlowNet().cuda()
state = torch.load("flow.pt", map_location="cpu")  #! MEM702 warning
net.load_state_dict(state["net"])
optimizer = torch.optim.Adam(net.parameters())
for left, right in torch.utils.data.DataLoader(Pairs(), 8):
    loss = photometric(left.cuda(), right.cuda(), net(left.cuda(), right.cuda()))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
