import pytorch_lightning as pl
import torch
import torch.nn.functional as F


class Forecaster(pl.LightningModule):
    def __init__(self, net, lr=1e-3):
        super().__init__()
        self.net = net
        self.lr = lr
        self.train_losses = []

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.mse_loss(self.net(x), y)
        self.train_losses.append(loss)  #! MEM127
        return loss

    def on_train_epoch_end(self):
        self.log("train_epoch_loss", torch.stack(self.train_losses).mean())

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.lr)
