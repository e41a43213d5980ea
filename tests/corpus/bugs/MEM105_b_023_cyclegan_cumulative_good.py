import itertools

import torch
import torch.nn as nn


class Logger:
    def __init__(self, n_epochs, batches_epoch):
        self.n_epochs, self.batches_epoch = n_epochs, batches_epoch
        self.epoch, self.batch = 1, 1
        self.losses = {}

    def log(self, losses=None):
        for i, loss_name in enumerate(losses.keys()):
            if loss_name not in self.losses:
                self.losses[loss_name] = losses[loss_name].item()
            else:
                self.losses[loss_name] += losses[loss_name].item()
        self.batch += 1
        if self.batch % self.batches_epoch == 0:
            print({k: float(v) / self.batch for k, v in self.losses.items()})
            self.epoch += 1


def train(netG_A2B, netG_B2A, netD_A, loader, n_epochs=200, lr=2e-4):
    opt_G = torch.optim.Adam(itertools.chain(netG_A2B.parameters(), netG_B2A.parameters()), lr=lr)
    opt_D = torch.optim.Adam(netD_A.parameters(), lr=lr)
    gan, cyc, idt = nn.MSELoss(), nn.L1Loss(), nn.L1Loss()
    logger = Logger(n_epochs, len(loader))
    for epoch in range(n_epochs):
        for batch in loader:
            real_A, real_B = batch["A"].cuda(), batch["B"].cuda()
            opt_G.zero_grad()
            loss_id = idt(netG_A2B(real_B), real_B) * 5.0
            fake_A = netG_B2A(real_B)
            pred = netD_A(fake_A)
            loss_gan = gan(pred, torch.ones_like(pred))
            loss_cyc = cyc(netG_A2B(fake_A), real_B) * 10.0
            loss_G = loss_id + loss_gan + loss_cyc
            loss_G.backward()
            opt_G.step()

            opt_D.zero_grad()
            pr, pf = netD_A(real_A), netD_A(fake_A.detach())
            loss_D = 0.5 * (gan(pr, torch.ones_like(pr)) + gan(pf, torch.zeros_like(pf)))
            loss_D.backward()
            opt_D.step()
            logger.log({"loss_G": loss_G, "loss_G_identity": loss_id, "loss_G_cycle": loss_cyc, "loss_D": loss_D})
