import lightning.pytorch as pl
import torch
from torch import nn
from torch.utils.data import DataLoader


class LitClassifier(pl.LightningModule):
    def __init__(self, net, lr=1e-3):
        super().__init__()
        self.net = net
        self.lr = lr

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.cross_entropy(self.net(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self.net(x)
        self.log("val_loss", nn.functional.cross_entropy(logits, y))
        self.log("val_acc", (logits.argmax(1) == y).float().mean())

    def predict_step(self, batch, batch_idx):
        return self.net(batch[0])

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.lr)


def main(net, train_ds, val_ds):
    trainer = pl.Trainer(max_epochs=10, precision="16-mixed")
    trainer.fit(LitClassifier(net), DataLoader(train_ds, 64, num_workers=4), DataLoader(val_ds, 64, num_workers=4))
