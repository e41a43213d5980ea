import torch


class Hook:
    def before_iter(self, tr): ...
    def after_iter(self, tr): ...


class OptimizerHook(Hook):
    def __init__(self, clip=None):
        self.clip = clip

    def after_iter(self, tr):
        tr.optimizer.zero_grad()
        tr.outputs["loss"].backward()
        if self.clip:
            torch.nn.utils.clip_grad_norm_(tr.model.parameters(), self.clip)
        tr.optimizer.step()


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.hooks = [OptimizerHook(35.0)]
        self.outputs = None

    def call(self, name):
        for h in self.hooks:
            getattr(h, name)(self)

    def train(self, loader):
        for batch in loader:
            self.call("before_iter")
            self.outputs = self.model.train_step(batch, self.optimizer)
            self.call("after_iter")
