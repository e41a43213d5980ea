# clear, backward and step, each in a `with`, in the right order

import torch


def train(net, loader, timer):
    opt = torch.optim.Adam(net.parameters())
    for x in loader:
        with timer:
            opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = net(x).mean()
        with timer:
            loss.backward()
        with timer:
            opt.step()
