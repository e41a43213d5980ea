"""Apex with two losses, without `with`."""
import torch
from apex import amp


class Pix2Pix:
    def __init__(self, g, d):
        self.og, self.od = torch.optim.Adam(g.parameters()), torch.optim.Adam(d.parameters())
        (self.g, self.d), (self.og, self.od) = amp.initialize([g, d], [self.og, self.od], opt_level="O1", num_losses=2)  #= MEM901

    def step(self, a, b):
        fake = self.g(a)
        self.od.zero_grad()
        ld = (self.d(fake.detach()) - self.d(b)).mean()
        amp.scale_loss(ld, self.od, loss_id=0).backward()  #! MEM901
        self.od.step()
        self.og.zero_grad()
        with amp.scale_loss(-self.d(fake).mean(), self.og, loss_id=1) as s:  #! MEM901
            s.backward()
        self.og.step()
