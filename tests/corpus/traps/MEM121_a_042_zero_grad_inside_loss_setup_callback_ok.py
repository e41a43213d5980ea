import torch
from torch import nn


class OptimizerHook:
    def __init__(self, clip=None):
        self.clip = clip

    def after_train_iter(self, runner):
        runner.optimizer.zero_grad()
        runner.outputs["loss"].backward()
        if self.clip:
            nn.utils.clip_grad_norm_(runner.model.parameters(), self.clip)
        runner.optimizer.step()


class Runner:
    def __init__(self, model, optimizer, hooks):
        self.model, self.optimizer, self.hooks = model, optimizer, hooks
        self.outputs = None
        self.log_buffer = []

    def call_hook(self, name):
        for h in self.hooks:
            getattr(h, name)(self)

    def train(self, loader):
        self.model.train()
        for data in loader:
            self.outputs = self.model.train_step(data)
            self.call_hook("after_train_iter")
            self.log_buffer.append(self.outputs["loss"].item())


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), 0.1)
    Runner(model, opt, [OptimizerHook(35)]).train(loader)
