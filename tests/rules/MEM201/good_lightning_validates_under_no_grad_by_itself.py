# Lightning validates under no_grad by itself

import lightning.pytorch as pl
import torch


class LitClassifier(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(8, 2)

    def training_step(self, batch, idx):
        x, y = batch
        return torch.nn.functional.cross_entropy(self.net(x), y)

    def validation_step(self, batch, idx):
        x, y = batch
        for view in (x, x.flip(-1)):
            logits = self.net(view)
            self.log("val_acc", (logits.argmax(1) == y).float().mean())

    def predict_step(self, batch, idx):
        return self(batch)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
