from typing import Any

import torch
import torch.nn as nn
from lightning.pytorch import LightningModule
from lightning.pytorch.callbacks import Callback
from torchmetrics.classification import MulticlassAccuracy


class LitBase(LightningModule):
    def __init__(self):
        super().__init__()
        self.validation_step_outputs: list[Any] = []
        self.train_hist = {"loss": [], "feat": []}

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-4)


class LitContrastive(LitBase):
    def __init__(self, dim=128):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(512, dim), nn.GELU(), nn.Linear(dim, dim))
        self.acc = MulticlassAccuracy(10)

    def forward(self, x):
        return nn.functional.normalize(self.enc(x), dim=-1)

    def training_step(self, batch, batch_idx):
        a, b = batch
        za, zb = self(a), self(b)
        loss = 1 - (za * zb).sum(-1).mean()
        self.train_hist["loss"].append(loss.item())
        self.train_hist["feat"].append(za)  #! MEM127
        return loss

    def validation_step(self, batch, batch_idx):
        z = self(batch[0])
        self.acc(z, batch[1])
        self.validation_step_outputs.append({"emb": z, "target": batch[1]})  #! MEM127
        self.log("val_acc", self.acc)

    def on_validation_epoch_end(self):
        emb = torch.cat([o["emb"] for o in self.validation_step_outputs])
        self.log("val_std", emb.std(0).mean())


class Bank(Callback):
    def __init__(self, size):
        self.size = size
        self.memory = []

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        self.memory.append(outputs["loss"])  #! MEM127
