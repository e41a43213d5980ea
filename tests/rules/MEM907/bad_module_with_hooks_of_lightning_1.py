# a module with the hooks of Lightning 1

import pytorch_lightning as pl
import torch


class Classifier(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(32, 4)

    def training_step(self, batch, batch_idx):
        x, y = batch
        return torch.nn.functional.cross_entropy(self.net(x), y)

    def training_epoch_end(self, outputs):  #! MEM907 error
        self.log("train_loss", torch.stack([o["loss"] for o in outputs]).mean())

    def validation_step(self, batch, batch_idx):
        x, y = batch
        return {"hits": (self.net(x).argmax(1) == y).float()}

    def validation_epoch_end(self, outputs):  #! MEM907 error
        self.log("val_acc", torch.cat([o["hits"] for o in outputs]).mean())

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


trainer = pl.Trainer(
    gpus=1,  #! MEM907 error
    precision=16,  #! MEM907 warning
)
trainer.fit(Classifier())
