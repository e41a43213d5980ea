from argparse import ArgumentParser

import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import ModelCheckpoint
from torch.nn import functional as F
from torch.utils.data import DataLoader

from mylib import BaseTask, Words


class SegmentationTask(BaseTask):
    def __init__(self, hparams):
        super().__init__()
        self.save_hyperparameters(hparams)
        self.losses = []
        self.net = torch.nn.Conv2d(3, 2, 1)

    def training_step(self, batch, batch_nb):
        x, y = batch
        return {"loss": F.cross_entropy(self.net(x), y)}

    def validation_step(self, batch, batch_nb):
        x, y = batch
        self.losses.append(F.cross_entropy(self.net(x), y))

    def on_validation_epoch_end(self):
        avg = torch.stack(self.losses).mean()
        self.log("avg_val_loss", avg)
        self.losses.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


def cli():
    parser = ArgumentParser()
    parser.add_argument("--ckpt", default=None)
    args = parser.parse_args()
    pl.seed_everything(1)
    trainer = pl.Trainer(
        max_epochs=10,
        accelerator="gpu",
        strategy="ddp",
        callbacks=[ModelCheckpoint(monitor="avg_val_loss")],
    )
    trainer.fit(SegmentationTask(args), DataLoader(Words(), batch_size=4, num_workers=4), ckpt_path=args.ckpt)


if __name__ == "__main__":
    cli()
