import torch
from torch import nn
from torchmetrics.functional import accuracy


class Trainer:
    def __init__(self, model, opt):
        self.model, self.opt = model, opt

    def fit(self, train, val, epochs):
        for e in range(epochs):
            self.model.train()
            for x, y in train:
                self.opt.zero_grad(set_to_none=True)
                loss = nn.functional.cross_entropy(self.model(x), y)
                loss.backward()
                self.opt.step()
            print(e, self.evaluate(val))

    @torch.inference_mode()
    def evaluate(self, loader):
        self.model.eval()
        outs, ys = [], []
        total = 0.0
        for x, y in loader:
            out = self.model(x)
            total += nn.functional.cross_entropy(out, y)
            outs.append(out)
            ys.append(y)
        return total / len(ys), accuracy(torch.cat(outs), torch.cat(ys), task="multiclass", num_classes=10)

    @torch.no_grad
    def predict(self, loader):
        return [self.model(x) for x, _ in loader]
