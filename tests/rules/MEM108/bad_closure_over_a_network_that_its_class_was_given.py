# a closure of an optimizer over a network that its class was given

import torch
from moulds import begin


class Fitter:
    def __init__(self, shadow):
        self.shadow = shadow

    def closure(self, opt, clay, wanted):
        def run():
            opt.zero_grad()
            gap = (self.shadow(clay) - wanted).square().mean()
            gap.backward(retain_graph=True)  #! MEM108 warning
            return gap

        return run

    def fit(self, wanted, turns):
        clay, opt = begin(wanted.shape)
        for _ in range(turns):
            opt.step(self.closure(opt, clay, wanted))
        return clay.detach()
