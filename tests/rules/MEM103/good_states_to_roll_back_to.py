# the states of the network and of its optimizer, to go on from when a step fails

import copy

import torch


def train(net, loader, steps):
    net.to("cuda")
    optimizer = torch.optim.AdamW(net.parameters())
    states = {}
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x.to("cuda")), y.to("cuda"))
        loss.backward()
        optimizer.step()
        if step % 1000 == 0:
            states[step] = {"net": copy.deepcopy(net.state_dict()), "optimizer": copy.deepcopy(optimizer.state_dict())}
        if not torch.isfinite(loss):
            last = max(states)
            net.load_state_dict(states[last]["net"])
            optimizer.load_state_dict(states[last]["optimizer"])
