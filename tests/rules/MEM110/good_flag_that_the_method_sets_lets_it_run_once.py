# the method leaves where it has been before, as a flag says that it sets at its end

import torch


class Features:
    def __init__(self, model):
        self.model, self.keys = model, {}
        self.hooked = False

    def hook_keys(self):
        if self.hooked:
            return

        def keep(i):
            def hook(module, inputs, output):
                self.keys[i] = output.detach()

            return hook

        n = 0
        for name, module in self.model.named_modules():
            if name.endswith("key"):
                module.register_forward_hook(keep(n))
                n += 1
        self.hooked = True

    def tokens(self, x, facet="token"):
        if facet == "key":
            self.hook_keys()
        with torch.inference_mode():
            out = self.model(x)
        return out


def main(loader, net):
    features = Features(net)
    for x in loader:
        print(features.tokens(x, "key").shape)
