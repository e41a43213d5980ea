# an accelerator object's method of that name, and Lightning's plugin

import torch
from lightning.fabric import Fabric


class Scaler:
    def initialize(self, model):
        return model

    def scale_loss(self, loss):
        return loss * 2.0


class Loop:
    def __init__(self):
        self.amp = Scaler()
        self.fabric = Fabric(precision="16-mixed")

    def run(self, model, x):
        model = self.amp.initialize(model)
        self.fabric.backward(self.amp.scale_loss(model(x).mean()))


Loop().run(torch.nn.Linear(3, 1), torch.randn(2, 3))
