# a callback adds the backbone to the optimizer after some epochs, and keeps it out of the graph until then

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from pytorch_lightning.callbacks import BackboneFinetuning
from torch import nn
from torchvision.models import resnet50


class Probe(pl.LightningModule):
    def __init__(self, classes):
        super().__init__()
        self.backbone = resnet50(weights="DEFAULT")
        self.head = nn.Linear(1000, classes)

    def training_step(self, batch, batch_idx):
        x, y = batch
        return F.cross_entropy(self.head(self.backbone(x)), y)

    def configure_optimizers(self):
        return torch.optim.Adam(self.head.parameters(), lr=1e-3)


class Given(pl.LightningModule):
    def __init__(self, backbone, classes):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(1000, classes)

    def training_step(self, batch, batch_idx):
        x, y = batch
        return F.cross_entropy(self.head(self.backbone(x)), y)

    def configure_optimizers(self):
        return torch.optim.Adam(self.head.parameters(), lr=1e-3)


pl.Trainer(callbacks=[BackboneFinetuning(10)]).fit(Probe(10))
