# both forms of a hook in a file that asks for the version

import pytorch_lightning as pl
import torch
from packaging.version import Version

NEW = Version(pl.__version__) >= Version("2.0")


class Net(pl.LightningModule):
    def validation_epoch_end(self, outputs):
        self.log("mean", torch.stack(outputs).mean())

    def on_validation_epoch_end(self):
        if NEW:
            self.log("mean", torch.zeros(1))


if NEW:
    trainer = pl.Trainer(devices=1)
else:
    trainer = pl.Trainer(gpus=1)
