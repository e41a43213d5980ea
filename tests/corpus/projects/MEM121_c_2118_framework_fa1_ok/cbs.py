from fastai.callback.core import Callback


class Track(Callback):
    def before_fit(self):
        self.vals = []

    def after_batch(self):
        self.vals.append(self.loss.item())
