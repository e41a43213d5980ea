# what an unseen function gives goes back into it, and may hold the graph of the iteration before

import torch
from losses import sequence_loss
from nets import Net

net = Net().cuda()
opt = torch.optim.SGD(net.parameters(), 0.1)
h = None
for x, y in torch.utils.data.DataLoader(torch.load("sequences.pt")):
    loss, h = sequence_loss(net, x.cuda(), y, h)
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
