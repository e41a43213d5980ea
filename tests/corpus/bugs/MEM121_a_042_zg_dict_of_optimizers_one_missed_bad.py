import torch
import torch.nn as nn


class CycleTrainer:
    def __init__(self, nets, lr=2e-4):
        self.nets = nets
        self.opts = {
            "G": torch.optim.Adam(list(nets["G_A"].parameters()) + list(nets["G_B"].parameters()), lr),
            "D": torch.optim.Adam(list(nets["D_A"].parameters()) + list(nets["D_B"].parameters()), lr),
        }
        self.gan = nn.MSELoss()
        self.l1 = nn.L1Loss()

    def g_step(self, a, b):
        fake_b, fake_a = self.nets["G_A"](a), self.nets["G_B"](b)
        pred_a, pred_b = self.nets["D_A"](fake_a), self.nets["D_B"](fake_b)
        loss = self.gan(pred_a, torch.ones_like(pred_a)) + self.gan(pred_b, torch.ones_like(pred_b))
        loss = loss + 10 * (self.l1(self.nets["G_B"](fake_b), a) + self.l1(self.nets["G_A"](fake_a), b))
        self.opts["G"].zero_grad()
        loss.backward()
        self.opts["G"].step()
        return fake_a.detach(), fake_b.detach(), loss.item()

    def d_step(self, real, fake, net):
        pr, pf = net(real), net(fake)
        loss = 0.5 * (self.gan(pr, torch.ones_like(pr)) + self.gan(pf, torch.zeros_like(pf)))
        loss.backward()  #! MEM121
        self.opts["D"].step()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for a, b in loader:
                fake_a, fake_b, g = self.g_step(a.cuda(), b.cuda())
                da = self.d_step(a.cuda(), fake_a, self.nets["D_A"])
                db = self.d_step(b.cuda(), fake_b, self.nets["D_B"])
            print(epoch, g, da, db)
