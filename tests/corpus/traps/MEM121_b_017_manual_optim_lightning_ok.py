import pytorch_lightning as pl
import torch


class GAN(pl.LightningModule):
    def __init__(self, G, D):
        super().__init__()
        self.G, self.D = G, D
        self.automatic_optimization = False

    def training_step(self, batch, i):
        og, od = self.optimizers()
        real, _ = batch
        z = torch.randn(real.size(0), 100, device=self.device)
        g_loss = -self.D(self.G(z)).mean()
        og.zero_grad()
        self.manual_backward(g_loss)
        og.step()
        d_loss = self.D(self.G(z).detach()).mean() - self.D(real).mean()
        od.zero_grad()
        self.manual_backward(d_loss)
        od.step()
        self.log_dict({"g": g_loss, "d": d_loss})

    def configure_optimizers(self):
        return torch.optim.Adam(self.G.parameters(), 1e-4), torch.optim.Adam(self.D.parameters(), 1e-4)
