# metrics of a list, which see to the grad mode themselves

import lightning as L
from torch import nn


class Base(L.LightningModule):
    def __init__(self, loss, metrics):
        super().__init__()
        self.loss = loss
        self.logging_metrics = nn.ModuleList(metrics)

    def training_step(self, batch, batch_idx):
        x, y = batch
        predicted = self(x)
        loss = self.loss(predicted, y)
        self.log_metrics(predicted, y)
        return loss

    def log_metrics(self, predicted, y, prefix="train"):
        for metric in self.logging_metrics:
            self.log(f"{prefix}_{metric.__class__.__name__}", metric(predicted, y))
