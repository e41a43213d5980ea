# manual optimization: what self.optimizers() gives is what configure_optimizers returns, in its order

import lightning as L
import torch
from torch import nn


class Gan(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.generator, self.discriminator = nn.Linear(8, 8), nn.Linear(8, 1)

    def training_step(self, batch, batch_idx):
        first, second = self.optimizers()
        fake = self.generator(batch)
        first.zero_grad()
        self.manual_backward(-self.discriminator(fake).mean())
        first.step()
        loss = self.discriminator(fake.detach()).mean() - self.discriminator(batch).mean()
        self.manual_backward(loss)  #! MEM121
        second.step()

    def configure_optimizers(self):
        optimizers = [torch.optim.Adam(self.generator.parameters()), torch.optim.Adam(self.discriminator.parameters())]
        return optimizers, []


class Plain(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(8, 1)

    def training_step(self, batch, batch_idx):
        sgd = self.optimizers()
        self.manual_backward(self.net(batch).mean())  #! MEM121
        sgd.step()

    def configure_optimizers(self):
        sgd = torch.optim.SGD(self.net.parameters(), 0.1)
        return {"optimizer": sgd, "lr_scheduler": torch.optim.lr_scheduler.StepLR(sgd, 1)}
