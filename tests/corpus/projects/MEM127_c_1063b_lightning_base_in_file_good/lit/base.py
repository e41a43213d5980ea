import lightning as L
import torch


class Base(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.outs = []

    def validation_step(self, batch, idx):
        x, y = batch
        logits = self(x)
        self.outs.append((logits, y))  #= MEM127
        return torch.nn.functional.cross_entropy(logits, y)

    def on_validation_epoch_end(self):
        self.outs.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 1e-3)
