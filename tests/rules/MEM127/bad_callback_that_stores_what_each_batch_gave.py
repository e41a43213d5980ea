# a callback that stores what each batch gave, and accuracies that nobody clears

import lightning as L
import torch
from lightning.pytorch.callbacks import Callback


class Collect(Callback):
    def __init__(self):
        self.outputs = []

    def on_validation_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        self.outputs.append(outputs)  #! MEM127 warning

    def on_validation_epoch_end(self, trainer, pl_module):
        print(len(self.outputs))


class Net(L.LightningModule):
    def __init__(self, body):
        super().__init__()
        self.body = body
        self.accs = []
        self.scores = []

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.accs.append((self.body(x).argmax(1) == y).float().mean())  #! MEM127 warning
        return y

    def on_validation_epoch_end(self):
        self.log("acc", torch.stack(self.accs).mean())

    def test_step(self, batch, batch_idx):
        self.scores.append(self.body(batch[0]))  #! MEM127 advice
