from fastai.vision.all import *


class Smooth(Callback):
    def before_fit(self):
        self.values, self.last = [], None

    def after_loss(self):
        self.last = self.learn.loss

    def after_batch(self):
        if self.training:
            self.values.append(self.loss.item())

    def after_epoch(self):
        print(sum(self.values) / max(1, len(self.values)))
        self.values = []


class Hold(Callback):
    def before_batch(self):
        self.kept = []

    def after_pred(self):
        self.kept.append(self.pred)
