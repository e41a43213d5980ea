# a method that is called after clearing gradients goes through members that were made elsewhere

import torch
from torch import optim


class Interventions:
    def __init__(self, kinds):
        self.interventions = {}
        for kind in kinds:
            self.add(kind)

    def set_zero_grad(self):
        for _, member in self.interventions.items():
            if hasattr(member, "rotate"):
                member.zero_grad()

    def train(self, loader, compute_loss, window, **kwargs):
        given = [{"params": self.get_trainable_parameters()}]
        optimizer = kwargs["optimizer"] if "optimizer" in kwargs else optim.Adam(given, lr=1e-3)
        for step, inputs in enumerate(loader):
            loss = compute_loss(self.model(inputs["ids"]).logits, inputs["labels"])
            loss.backward()
            if step % window == 0:
                optimizer.step()
                self.set_zero_grad()
