# little of each batch, a few batches, or a bank that the GPU reads, in hooks of Lightning

import lightning as L
import torch
import torch.nn.functional as F


class Net(L.LightningModule):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.classes = []
        self.losses = []
        self.host = []
        self.bank = []
        self.first = []

    def validation_step(self, batch, batch_idx):
        x, y = batch
        out = self.model(x)
        self.classes.append(out.argmax(1))
        self.losses.append(F.cross_entropy(out, y))
        self.host.append(out.cpu())
        self.bank.append(out)
        if batch_idx < 2:
            self.first.append(out)

    def on_validation_epoch_end(self):
        self.classified(torch.cat(self.classes).cpu(), torch.stack(self.losses).cpu(), torch.cat(self.host))
        score = (torch.cat(self.bank) @ self.head.T).argmax(1)
        self.show(score, torch.cat(self.first).cpu())
        self.classes.clear()
        self.losses.clear()
        self.host.clear()
        self.bank.clear()
        self.first.clear()
