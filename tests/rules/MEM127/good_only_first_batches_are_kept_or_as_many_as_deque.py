# only the first batches are kept, or as many as a deque takes

from collections import deque

import lightning as L
import torch


class Net(L.LightningModule):
    def __init__(self, body):
        super().__init__()
        self.body = body
        self.samples = []
        self.images = []
        self.recent = deque(maxlen=20)

    def training_step(self, batch, batch_idx):
        loss = self.body(batch).mean()
        self.recent.append(loss.detach())
        return loss

    def validation_step(self, batch, batch_idx):
        out = self.body(batch)
        if batch_idx == 0:
            self.samples.append(out)
        if len(self.images) < 8:
            self.images.append(out)
        return torch.zeros(1)
