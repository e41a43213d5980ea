# what another function loads under the same name is another value

import torch


def fit(net, opt, loader):
    best = 0.0
    for x, y in loader:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        if -loss.item() > best:
            best = -loss.item()
            weights = net.state_dict()
            torch.save(weights, "best.pt")


def restore(net):
    weights = torch.load("best.pt", map_location="cpu")
    net.load_state_dict(weights)
