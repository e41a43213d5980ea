# an attack out of view gets the network and this turn's batch, and the network runs on what it gives

import torch
from attacks import adversarial
from nets import Net

net = Net().cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    attacked = adversarial(net, x.cuda(), y.cuda())
    loss = torch.nn.functional.cross_entropy(net(attacked), y.cuda())
    opt.zero_grad()
    loss.backward(retain_graph=True)  #! MEM108 warning
    opt.step()
