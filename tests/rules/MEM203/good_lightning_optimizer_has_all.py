# two parts of a LightningModule of which one feeds the loss detached: the optimizer has both

import lightning as L
import timm
import torch
from torch.nn import functional as F


class Twins(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.first = timm.create_model("resnet18", num_classes=10)
        self.second = timm.create_model("resnet50", num_classes=10)

    def training_step(self, images, index):
        optimizer = self.optimizers()
        loss = F.mse_loss(self.first(images), self.second(images))
        optimizer.zero_grad()
        self.manual_backward(loss)
        optimizer.step()

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters())
