import torch
import torch.nn as nn
import torch.nn.functional as F


def cycle(dl):
    while True:
        for data in dl:
            yield data


class Learner(object):
    def __init__(self, encoder, projector, dl, train_num_steps=100000, grad_clip=1.0):
        super().__init__()
        self.encoder, self.projector = encoder, projector
        self.dl = cycle(dl)
        self.opt = torch.optim.Adam([*encoder.parameters(), *projector.parameters()], lr=3e-4)
        self.train_num_steps = train_num_steps
        self.grad_clip = grad_clip
        self.step = 0

    def train(self):
        while self.step < self.train_num_steps:
            x1, x2 = next(self.dl)
            z1 = F.normalize(self.projector(self.encoder(x1.cuda())), dim=-1)
            z2 = F.normalize(self.projector(self.encoder(x2.cuda())), dim=-1)
            sim = z1 @ z2.t() / 0.1
            loss = F.cross_entropy(sim, torch.arange(len(sim), device=sim.device))
            loss.backward()  #! MEM121
            nn.utils.clip_grad_norm_(self.encoder.parameters(), self.grad_clip)
            self.opt.step()
            self.step += 1
            if self.step % 1000 == 0:
                torch.save(self.encoder.state_dict(), f"enc-{self.step}.pt")
                print(self.step, loss.item())
