# lightning steps it

import lightning as L
import torch
from torch import nn


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(512, 10)

    def training_step(self, batch, index):
        x, y = batch
        return nn.functional.cross_entropy(self.head(x), y)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


L.Trainer(accelerator="gpu", max_epochs=1).fit(Net(), loader)
