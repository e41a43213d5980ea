import pytorch_lightning as pl
import torch


class LitGAN(pl.LightningModule):
    def __init__(self, G, D):
        super().__init__()
        self.automatic_optimization = False
        self.G, self.D = G, D
        self.validation_step_outputs = []

    def training_step(self, batch, batch_idx):
        og, od = self.optimizers()
        real, _ = batch
        z = torch.randn(real.size(0), 100, device=self.device)
        errD = self.D(self.G(z).detach()).mean() - self.D(real).mean()
        od.zero_grad()
        self.manual_backward(errD)
        od.step()
        errG = -self.D(self.G(z)).mean()
        og.zero_grad()
        self.manual_backward(errG)
        og.step()
        self.log_dict({"g": errG, "d": errD}, prog_bar=True)

    def validation_step(self, batch, batch_idx):
        score = self.D(batch[0])
        self.validation_step_outputs.append(score)

    def on_validation_epoch_end(self):
        self.log("score", torch.cat(self.validation_step_outputs).mean())
        self.validation_step_outputs.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.G.parameters(), 1e-4), torch.optim.Adam(self.D.parameters(), 1e-4)
