# a callback clears after each batch

import torch


class ZeroGradCallback:
    def on_batch_end(self, runner):
        runner.optimizer.zero_grad()


class Runner:
    def __init__(self, model, callbacks):
        self.model, self.callbacks = model, callbacks
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def run(self, loader):
        for x in loader:
            loss = self.model(x).mean()
            loss.backward()
            self.optimizer.step()
            for callback in self.callbacks:
                callback.on_batch_end(self)


Runner(torch.nn.Linear(2, 1), [ZeroGradCallback()]).run(torch.randn(5, 3, 2))
