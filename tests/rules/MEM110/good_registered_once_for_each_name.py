# the hook fills the container that the condition asks: each layer gets one

import torch


class Trainer:
    def __init__(self, net, opt, layers):
        self.net, self.opt, self.layers, self.kept = net, opt, layers, {}

    def activations(self, x):
        def keep(name):
            def hook(module, given, out):
                self.kept[name] = out

            return hook

        for name in self.layers:
            if name not in self.kept:
                layer = dict([*self.net.named_modules()])[name]
                layer.register_forward_hook(keep(name))
        self.net(x)
        return self.kept

    def fit(self, loader):
        for x, y in loader:
            self.opt.zero_grad()
            loss = sum((a - y).square().mean() for a in self.activations(x).values())
            loss.backward()
            self.opt.step()
