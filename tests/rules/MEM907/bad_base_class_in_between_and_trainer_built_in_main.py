# a base class in between, and a trainer built in main

import lightning.pytorch as pl
import torch
from lightning.pytorch import Trainer


class Base(pl.LightningModule):
    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


class Regressor(Base):
    def test_step(self, batch, batch_idx):
        return self(batch).mean()

    def test_epoch_end(self, outputs):  #! MEM907
        print(len(outputs))


def main(checkpoint):
    trainer = Trainer(
        max_epochs=3,
        resume_from_checkpoint=checkpoint,  #! MEM907 error
        checkpoint_callback=False,  #! MEM907 error
        progress_bar_refresh_rate=20,  #! MEM907 error
    )
    trainer.fit(Regressor())


main("last.ckpt")
