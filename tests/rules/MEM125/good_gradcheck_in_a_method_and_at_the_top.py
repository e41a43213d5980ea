# checks of gradients in a method and at the top of a script, which train nothing there

import torch
from torch.autograd import gradcheck


class Checked:
    def __init__(self, function):
        self.function = function

    def check(self, *inputs):
        with torch.autograd.set_detect_anomaly(True):
            return gradcheck(self.function, [x.double().requires_grad_() for x in inputs])


print(Checked(torch.sigmoid).check(torch.randn(3)))
