# copies on the host keep the nodes of every step's graph, whoever makes the hook

import torch
from torch import nn


class Watch:
    def __init__(self, model, names):
        self.kept = {name: [] for name in names}
        for name, module in model.named_modules():
            if name in self.kept:
                module.register_forward_hook(self.keeper(name))

    def keeper(self, name):
        def hook(module, given, output):
            self.kept[name].append(output.cpu())  #! MEM110 warning

        return hook


def train(model, loader):
    watch, inputs = Watch(model, ["1"]), []
    model[0].register_forward_pre_hook(lambda m, given: inputs.append(given[0].to("cpu")))  #! MEM110 warning
    opt = torch.optim.Adam(model.parameters())
    for x, y in loader:
        opt.zero_grad()
        nn.functional.mse_loss(model(x.cuda()), y.cuda()).backward()
        opt.step()
    return watch.kept, inputs
