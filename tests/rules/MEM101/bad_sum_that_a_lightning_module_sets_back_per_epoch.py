# The hook at the end of the epoch sets the sum back: until then it holds the graph of every batch.

import lightning as L
import torch
import torch.nn.functional as F


class Classifier(L.LightningModule):
    def __init__(self, width):
        super().__init__()
        self.body = torch.nn.Linear(width, 10)
        self.running = 0.0
        self.steps = 0
        self.penalty = torch.tensor(0.0)

    def training_step(self, batch, index):
        x, y = batch
        out = self.body(x)
        loss = F.cross_entropy(out, y)
        self.running += loss  #! MEM101 warning
        self.penalty = self.penalty + out.pow(2).mean()  #! MEM101 error
        self.steps += 1
        return loss

    def on_train_epoch_start(self):
        self.penalty = torch.tensor(0.0)

    def on_train_epoch_end(self):
        self.log("epoch", self.running / self.steps)
        self.running, self.steps = 0.0, 0
