import pytorch_lightning as pl
import torch
import torch.nn.functional as F


class Lit(pl.LightningModule):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.outs = []

    def training_step(self, batch, i):
        x, y = batch
        loss = F.cross_entropy(self.net(x), y)
        self.log("loss", loss)
        return loss

    def validation_step(self, batch, i):
        x, y = batch
        logits = self.net(x)
        self.outs.append(F.cross_entropy(logits, y))
        return logits

    def on_validation_epoch_end(self):
        self.log("val", torch.stack(self.outs).mean())
        self.outs.clear()

    def test_step(self, batch, i):
        self.log("acc", (self.net(batch[0]).argmax(1) == batch[1]).float().mean())

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
