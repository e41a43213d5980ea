# the backward stands in a `with`, then the gradients are cleared, then the step comes

import torch


def train(net, loader):
    opt = torch.optim.Adam(net.parameters())
    for x in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = net(x).mean()
            loss.backward()
        opt.zero_grad()  #! MEM121 error
        opt.step()
