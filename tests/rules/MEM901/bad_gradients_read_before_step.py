# gradients are looked at between backward and step, where Apex has given them their true size

import torch
from apex import amp


def train(net, batches):
    optimizer = torch.optim.Adam(net.parameters())
    net, optimizer = amp.initialize(net, optimizer, opt_level="O1")
    for x, y in batches:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x), y)
        with amp.scale_loss(loss, optimizer) as scaled:  #! MEM901 warning
            scaled.backward()
        for p in net.parameters():
            p.grad.clamp_(-1, 1)
        optimizer.step()
