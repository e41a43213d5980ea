# what training_step leaves on the module is read by other hooks

import pytorch_lightning as pl
import torch
from torch import nn


class Latents(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(8, 8)

    def training_step(self, batch, batch_idx):
        self.last = self.net(batch[0])
        return nn.functional.mse_loss(self.last, batch[1])

    def on_train_epoch_end(self):
        self.kept = self.net(self.example)
