# cleared each epoch, but with its graph until then

import pytorch_lightning as pl
import torch


class Autoencoder(pl.LightningModule):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder
        self.step_losses = []

    def training_step(self, batch, batch_idx):
        loss = torch.nn.functional.l1_loss(self.decoder(self.encoder(batch)), batch)
        self.step_losses.append(loss.detach())
        return loss

    def on_train_epoch_end(self):
        self.log("mean_loss", torch.stack(self.step_losses).mean())
        self.step_losses.clear()
