# The loss of a LightningModule comes from an object of the project, and also goes into checks and logs.
import warnings

import pytorch_lightning as pl
import torch


class Forecaster(pl.LightningModule):
    def __init__(self, encoder, loss):
        super().__init__()
        self.encoder = encoder
        self.loss = loss
        self.history = []

    def forward(self, windows):
        return self.encoder(windows["past"])

    def training_step(self, batch, batch_idx):
        windows = self._windows(batch)
        output = self(windows)
        output = self.loss.domain_map(output)
        loss = self.loss(y=batch["y"], y_hat=output, mask=batch["mask"])
        if torch.isnan(loss):
            raise RuntimeError("the loss is NaN")
        if torch.isinf(loss):
            warnings.warn(f"the loss is infinite: {loss.item()}")
        self.history.append((self.global_step, loss.detach().item()))
        return loss

    def _windows(self, batch):
        return {"past": batch["y"] * batch["mask"]}
