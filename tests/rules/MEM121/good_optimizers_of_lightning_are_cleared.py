# manual optimization that clears: through the optimizers, through the networks, in another hook

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
        self.generator.zero_grad()
        self.manual_backward(-self.discriminator(fake).mean())
        first.step()
        second.zero_grad()
        self.manual_backward(self.discriminator(fake.detach()).mean() - self.discriminator(batch).mean())
        second.step()

    def configure_optimizers(self):
        return torch.optim.Adam(self.generator.parameters()), torch.optim.Adam(self.discriminator.parameters())


class InAnotherHook(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(8, 1)

    def training_step(self, batch, batch_idx):
        sgd = self.optimizers()
        self.manual_backward(self.net(batch).mean())
        sgd.step()

    def on_train_batch_end(self, outputs, batch, batch_idx):
        self.optimizers().zero_grad()

    def configure_optimizers(self):
        return torch.optim.SGD(self.net.parameters(), 0.1)


class Window(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(8, 1)

    def training_step(self, batch, batch_idx):
        sgd = self.optimizers()
        self.manual_backward(self.net(batch).mean() / 4)
        if (batch_idx + 1) % 4 == 0:
            sgd.step()
            sgd.zero_grad()

    def configure_optimizers(self):
        return [torch.optim.SGD(self.net.parameters(), 0.1)]
