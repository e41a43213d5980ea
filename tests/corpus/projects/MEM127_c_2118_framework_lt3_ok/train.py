import torch
import lightning as L
from torch import nn
from utils import AverageMeter


class GAN(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.g, self.d = nn.Linear(4, 4), nn.Linear(4, 1)
        self.meter = AverageMeter()

    def training_step(self, x, i):
        og, od = self.optimizers()
        z = torch.randn(len(x), 4, device=self.device)
        lg = -self.d(self.g(z)).mean()
        og.zero_grad()
        self.manual_backward(lg)
        og.step()
        ld = self.d(self.g(z).detach()).mean() - self.d(x).mean()
        od.zero_grad()
        self.manual_backward(ld)
        od.step()
        self.meter.update(ld.item())

    def configure_optimizers(self):
        return torch.optim.Adam(self.g.parameters()), torch.optim.Adam(self.d.parameters())
