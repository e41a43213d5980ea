# A trainer that gets the parameters of one network steps that one; the other serves its loss.

import lightning as L
import torch
import torch.nn.functional as F
import torchvision
from torch import nn


class Upscaler(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Conv2d(3, 3, 3, padding=1)
        self.vgg = torchvision.models.vgg16(weights="DEFAULT").features[:16].eval()  #! MEM205 warning

    def training_step(self, batch, batch_idx):
        small, large = batch
        made = self.net(small)
        return F.l1_loss(made, large) + F.mse_loss(self.vgg(made), self.vgg(large))

    def configure_optimizers(self):
        return torch.optim.Adam(self.net.parameters(), lr=1e-4)
