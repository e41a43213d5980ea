# setattr in a closure

import torch


def toggler(module):
    def toggle(on):
        for p in module.parameters():
            setattr(p, "require_grad", on)  #! MEM908 error

    return toggle


toggler(torch.nn.Linear(3, 3))(False)
