# copies on the host without a graph, and a slot for each layer

import torch
from torch import nn

rows, slots = [], {}


def keep(module, given, output):
    rows.append(output.detach().cpu())
    slots[module] = output.cpu()


def train(model, loader):
    model[0].register_forward_hook(keep)
    opt = torch.optim.Adam(model.parameters())
    for x, y in loader:
        opt.zero_grad()
        nn.functional.mse_loss(model(x.cuda()), y.cuda()).backward()
        opt.step()
