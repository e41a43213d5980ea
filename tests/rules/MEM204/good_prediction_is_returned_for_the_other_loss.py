# the caller may use the score for the generator's loss

import torch


class Pair:
    def __init__(self):
        self.gen, self.dis = torch.nn.Linear(4, 8), torch.nn.Linear(8, 1)
        self.opt_g = torch.optim.Adam(self.gen.parameters())
        self.opt_d = torch.optim.Adam(self.dis.parameters())

    def judge(self, noise, real):
        score = self.dis(self.gen(noise))
        loss = score.mean() - self.dis(real).mean()
        self.opt_d.zero_grad()
        loss.backward(retain_graph=True)
        self.opt_d.step()
        return score

    def make(self, noise, real):
        loss = -self.dis(self.gen(noise)).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
