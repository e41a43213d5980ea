# a teacher beside the student in a LightningModule whose optimizer has the student alone

import lightning as L
import timm
import torch
from torch.nn import functional as F


class Distillation(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.student = timm.create_model("resnet18", num_classes=10)
        self.teacher = timm.create_model("resnet50", num_classes=10)

    def training_step(self, images, index):
        optimizer = self.optimizers()
        known = self.teacher(images)  #! MEM203 warning
        loss = F.mse_loss(self.student(images), known.detach())
        optimizer.zero_grad()
        self.manual_backward(loss)
        optimizer.step()

    def configure_optimizers(self):
        return torch.optim.AdamW(self.student.parameters())
