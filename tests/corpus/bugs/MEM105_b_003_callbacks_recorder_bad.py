import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Callback:
    def on_epoch_begin(self, runner):
        pass

    def on_batch_end(self, runner, logs):
        pass

    def on_epoch_end(self, runner):
        pass


class LossRecorder(Callback):
    def __init__(self):
        self.losses = []

    def on_batch_end(self, runner, logs):
        self.losses.append(logs["loss"])  #= MEM105


class Printer(Callback):
    def __init__(self, recorder):
        self.recorder = recorder

    def on_epoch_end(self, runner):
        tail = self.recorder.losses[-100:]
        print(runner.epoch, sum(float(v) for v in tail) / len(tail))


class Runner:
    def __init__(self, model, opt, loss_fn, callbacks):
        self.model, self.opt, self.loss_fn = model, opt, loss_fn
        self.callbacks = callbacks
        self.epoch = 0

    def _call(self, name, *args):
        for cb in self.callbacks:
            getattr(cb, name)(self, *args)

    def run(self, loader, epochs):
        for self.epoch in range(epochs):
            self._call("on_epoch_begin")
            for xb, yb in loader:
                loss = self.loss_fn(self.model(xb), yb)
                loss.backward()
                self.opt.step()
                self.opt.zero_grad()
                for cb in self.callbacks:
                    cb.on_batch_end(self, {"loss": loss})  #! MEM105
            self._call("on_epoch_end")


if __name__ == "__main__":
    data = TensorDataset(torch.randn(2000, 20), torch.randn(2000, 1))
    net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1))
    rec = LossRecorder()
    Runner(net, torch.optim.AdamW(net.parameters()), nn.MSELoss(), [rec, Printer(rec)]).run(DataLoader(data, 32), 5)
