import torch
from fastai.callback.core import Callback


class Track(Callback):
    def before_fit(self):
        self.vals = []

    def after_loss(self):
        self.vals.append(self.loss)  #! MEM102

    def after_batch(self):
        torch.cuda.empty_cache()  #! MEM501
