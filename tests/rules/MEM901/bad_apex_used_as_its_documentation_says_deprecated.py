# Apex, used as its documentation says: deprecated

import torch
from apex import amp

net = torch.nn.Linear(4, 2).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net, opt = amp.initialize(net, opt, opt_level="O1")
for x in torch.randn(10, 3, 4, device="cuda"):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    with amp.scale_loss(loss, opt) as scaled_loss:  #! MEM901 warning
        scaled_loss.backward()
    opt.step()
