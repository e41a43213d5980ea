# made again when the epoch starts

import pytorch_lightning as pl
import torch


class Net(pl.LightningModule):
    def on_validation_epoch_start(self):
        self.targets, self.preds = [], []
        self.rows = []

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.preds.append(self(x))
        self.targets.append(y)
        self.rows.append(y.sum())

    def on_validation_epoch_end(self):
        print(torch.cat(self.preds).shape, torch.cat(self.targets).shape)
