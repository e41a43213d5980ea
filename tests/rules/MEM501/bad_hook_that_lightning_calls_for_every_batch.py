# a hook that Lightning calls for every batch

import lightning.pytorch as pl
import torch


class Classifier(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(10, 3)

    def training_step(self, batch, batch_idx):
        x, y = batch
        return torch.nn.functional.cross_entropy(self.net(x), y)

    def on_train_batch_end(self, outputs, batch, batch_idx):
        torch.cuda.empty_cache()  #! MEM501

    def on_train_epoch_end(self):
        torch.cuda.empty_cache()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
