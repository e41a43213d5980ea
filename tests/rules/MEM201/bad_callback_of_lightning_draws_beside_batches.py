# hooks of training run with gradients on, those of validation without

import pytorch_lightning as pl
import torch
import wandb


class Painter(pl.Callback):
    def __init__(self, every=100):
        self.every = every
        self.z = torch.randn(16, 64)

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        if batch_idx % self.every == 0:
            pictures = pl_module(self.z.to(pl_module.device))  #! MEM201 warning
            trainer.logger.experiment.log({"pictures": [wandb.Image(p) for p in pictures]})

    def on_validation_epoch_end(self, trainer, pl_module):
        pictures = pl_module(self.z.to(pl_module.device))
        trainer.logger.experiment.log({"pictures": [wandb.Image(p) for p in pictures]})
