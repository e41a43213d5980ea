# an encoder and a head that the trainer trains, and a teacher that is frozen

import lightning as L
import timm
import torch
from torch import nn
from torch.nn import functional as F


class Distillation(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.encoder = timm.create_model("resnet18", num_classes=0)
        self.head = nn.Linear(512, 10)
        self.teacher = timm.create_model("resnet50", num_classes=10)
        self.teacher.requires_grad_(False)

    def training_step(self, batch, index):
        images, labels = batch
        known = self.teacher(images)
        guess = self.head(self.encoder(images))
        return F.cross_entropy(guess, labels) + F.mse_loss(guess, known)

    def configure_optimizers(self):
        return torch.optim.AdamW([*self.encoder.parameters(), *self.head.parameters()])
