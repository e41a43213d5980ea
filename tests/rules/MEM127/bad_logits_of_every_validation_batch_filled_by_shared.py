# logits of every validation batch, filled by a shared helper

from collections import defaultdict

import lightning.pytorch as pl
import torch


class Tagger(pl.LightningModule):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.seen = defaultdict(list)

    def forward(self, x):
        return self.net(x)

    def keep(self, batch, stage):
        x, y = batch
        logits = self(x)
        self.seen[stage].append(logits)  #! MEM127 error
        return torch.nn.functional.cross_entropy(logits, y)

    def validation_step(self, batch, batch_idx):
        self.log("val_loss", self.keep(batch, "val"))

    def on_validation_epoch_end(self):
        print(torch.cat(self.seen["val"]).shape)
