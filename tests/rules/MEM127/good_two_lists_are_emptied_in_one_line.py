# one line makes both lists, and the same line at the end of the epoch empties them

import lightning
import torch
from torch import nn


class Emptied(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(784, 10)
        self.labels, self.logits = [], []

    def validation_step(self, batch, index):
        self.logits.append(self.net(batch[0]))
        self.labels.append(batch[1])

    def on_validation_epoch_end(self):
        print((torch.cat(self.logits).argmax(1) == torch.cat(self.labels)).float().mean())
        self.labels, self.logits = [], []
