import matplotlib.pyplot as plt
import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from torch import nn


class LitUNet(pl.LightningModule):
    def __init__(self, net: nn.Module, lr: float = 1e-3):
        super().__init__()
        self.net, self.lr = net, lr
        self.loss_curve = []
        self.val_dices = []

    def _dice(self, p, m):
        return 2 * (p * m).sum() / (p.sum() + m.sum() + 1e-6)

    def training_step(self, batch, _):
        x, m = batch
        logits = self.net(x)
        loss = F.binary_cross_entropy_with_logits(logits, m)
        self.loss_curve.append(loss.item())
        return loss

    def validation_step(self, batch, _):
        x, m = batch
        self.val_dices.append(self._dice(self.net(x).sigmoid(), m))  #? MEM127

    def on_validation_epoch_end(self):
        self.log("dice", torch.stack(self.val_dices).mean())
        self.val_dices.clear()

    def on_fit_end(self):
        plt.plot(self.loss_curve)
        plt.savefig("loss.png")

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), self.lr)
