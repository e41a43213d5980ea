# the hook of training is under no_grad, and the trainer runs the one of validation so

import pytorch_lightning as pl
import torch


class TestScore(pl.Callback):
    def __init__(self, loader):
        super().__init__()
        self.loader = loader

    @torch.no_grad()
    def on_train_epoch_end(self, trainer, pl_module):
        right = 0
        for image, label in self.loader:
            right += (pl_module(image.to(pl_module.device)).argmax(-1).cpu() == label).sum().item()
        print(right)

    def on_validation_epoch_end(self, trainer, pl_module):
        right = 0
        for image, label in self.loader:
            right += (pl_module(image.to(pl_module.device)).argmax(-1).cpu() == label).sum().item()
        print(right)
