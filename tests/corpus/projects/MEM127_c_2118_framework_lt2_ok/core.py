import pytorch_lightning as pl
import torch


class LitBase(pl.LightningModule):
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)
