# the lists of a dictionary are made again after every pass, a key at a time

import torch

KEYS = ("block", "query")


class Extractor:
    def __init__(self, net):
        self.net = net.cuda()
        self.outputs = {key: [] for key in KEYS}
        self.reset()

    def reset(self):
        for key in KEYS:
            self.outputs[key] = []

    def keep(self):
        def hook(module, inputs, output):
            self.outputs["query"].append(output)

        return hook

    def features(self, x):
        handle = self.net.register_forward_hook(self.keep())
        self.net(x)
        found = self.outputs["query"]
        handle.remove()
        self.reset()
        return found


def run(net, loader):
    extractor = Extractor(net)
    for x in loader:
        print(net(x.cuda()).mean().item(), len(extractor.features(x.cuda())))
