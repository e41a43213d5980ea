# Lightning optimises automatically

import pytorch_lightning as pl
import torch


class LitNet(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(8, 2)

    def training_step(self, batch, batch_idx):
        x, y = batch
        return torch.nn.functional.cross_entropy(self.net(x), y)

    def backward(self, loss):
        loss.backward()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
