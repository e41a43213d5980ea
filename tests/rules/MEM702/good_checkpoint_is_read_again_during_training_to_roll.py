# the checkpoint is read again during training, to roll back

import torch

net = torch.nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
good = torch.load("x.pt")
net.load_state_dict(good)
for x in torch.randn(5, 2, 4):
    opt.zero_grad()
    loss = net(x).sum()
    if not torch.isfinite(loss):
        net.load_state_dict(good)
        continue
    loss.backward()
    opt.step()
