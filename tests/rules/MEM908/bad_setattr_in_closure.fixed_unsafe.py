# setattr in a closure

import torch


def toggler(module):
    def toggle(on):
        for p in module.parameters():
            setattr(p, "requires_grad", on)

    return toggle


toggler(torch.nn.Linear(3, 3))(False)
