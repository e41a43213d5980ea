# a teacher in a LightningModule, where the trainer steps

import lightning as L
import timm
import torch
from torch.nn import functional as F


class Distillation(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.student = timm.create_model("resnet18", num_classes=10)
        self.teacher = timm.create_model("resnet50", num_classes=10)

    def training_step(self, batch, index):
        images, labels = batch
        known = self.teacher(images)  #! MEM203 warning
        guess = self.student(images)
        return F.cross_entropy(guess, labels) + F.mse_loss(guess, known.detach())

    def configure_optimizers(self):
        return torch.optim.AdamW(self.student.parameters())
