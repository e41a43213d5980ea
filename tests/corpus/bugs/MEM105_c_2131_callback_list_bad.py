# A trainer that tells its callbacks everything; one of them remembers it.
import torch
from torch import nn


class Callback:
    def on_batch_end(self, trainer, logs):
        pass


class Printer(Callback):
    def on_batch_end(self, trainer, logs):
        if trainer.steps % 100 == 0:
            print(trainer.steps, {k: float(v) for k, v in logs.items()})


class History(Callback):
    def __init__(self):
        self.logs = []

    def on_batch_end(self, trainer, logs):
        self.logs.append(logs)  #= MEM102 #= MEM105


class Trainer:
    def __init__(self, net, callbacks):
        self.net, self.callbacks = net, callbacks
        self.opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
        self.steps = 0

    def notify(self, hook, *args):
        for callback in self.callbacks:
            getattr(callback, hook)(self, *args)

    def fit(self, batches):
        for x in batches:
            loss = (self.net(x) - x).abs().mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.steps += 1
            for callback in self.callbacks:
                callback.on_batch_end(self, {"loss": loss})  #! MEM105


Trainer(nn.Sequential(nn.Linear(20, 5), nn.Linear(5, 20)), [Printer(), History()]).fit(torch.randn(500, 32, 20))
