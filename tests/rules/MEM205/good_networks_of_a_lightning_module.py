# Each network is given to an optimizer, or frozen; a trainer that gets all parameters trains all.

import lightning as L
import torch
import torch.nn.functional as F
import torchvision
from torch import nn


class Gan(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Conv2d(3, 3, 3, padding=1)
        self.critic = torchvision.models.resnet18()

    def training_step(self, batch, batch_idx, optimizer_idx):
        small, large = batch
        made = self.net(small)
        if optimizer_idx == 0:
            return F.l1_loss(made, large) - self.critic(made).mean()
        return self.critic(made.detach()).mean() - self.critic(large).mean()

    def configure_optimizers(self):
        return torch.optim.Adam(self.net.parameters()), torch.optim.Adam(self.critic.parameters())


class Whole(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Conv2d(3, 3, 3, padding=1)
        self.judge = torchvision.models.resnet18()

    def training_step(self, batch, batch_idx):
        return self.judge(self.net(batch)).mean()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
