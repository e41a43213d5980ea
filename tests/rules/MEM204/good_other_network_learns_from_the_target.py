# the network that makes the target learns from the same loss, or its result serves a backward of its own

import torch
import torch.nn.functional as F


class Pair:
    def __init__(self):
        self.encoder, self.predictor = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)
        self.encoder_opt = torch.optim.Adam(self.encoder.parameters())
        self.predictor_opt = torch.optim.Adam(self.predictor.parameters())

    def update(self, now, after):
        self.encoder_opt.zero_grad()
        self.predictor_opt.zero_grad()
        F.mse_loss(self.predictor(self.encoder(now).detach()), self.encoder(after)).backward()
        self.predictor_opt.step()
        self.encoder(now).std().backward()
        self.encoder_opt.step()


def agree(one, other, loader):
    one_opt, other_opt = torch.optim.Adam(one.parameters()), torch.optim.Adam(other.parameters())
    for x in loader:
        loss = F.l1_loss(one(x), other(x))
        one_opt.zero_grad()
        other_opt.zero_grad()
        loss.backward()
        one_opt.step()
        other_opt.step()
