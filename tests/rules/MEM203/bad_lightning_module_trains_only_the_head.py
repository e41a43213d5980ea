# configure_optimizers gives the head's parameters only; backward runs through the whole backbone

import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn
from torchvision.models import resnet50


class Probe(pl.LightningModule):
    def __init__(self, classes):
        super().__init__()
        self.backbone = resnet50(weights="DEFAULT")
        self.head = nn.Linear(1000, classes)

    def training_step(self, batch, batch_idx):
        x, y = batch
        z = self.backbone(x)  #! MEM203 warning
        loss = F.cross_entropy(self.head(z), y)
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.head.parameters(), lr=1e-3)
