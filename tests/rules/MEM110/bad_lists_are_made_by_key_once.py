# what makes the lists empty, a key at a time, is run by the constructor alone

import torch

KEYS = ("block", "query")


class Extractor:
    def __init__(self, net):
        self.net = net.cuda()
        self.outputs = {}
        self.reset()
        self.net.register_forward_hook(self.keep())

    def reset(self):
        for key in KEYS:
            self.outputs[key] = []

    def keep(self):
        def hook(module, inputs, output):
            self.outputs["query"].append(output)  #! MEM110 error

        return hook

    def features(self, x):
        self.net(x)
        return self.outputs["query"][-1]


def run(net, loader):
    extractor = Extractor(net)
    for x in loader:
        print(extractor.features(x.cuda()).mean().item())
