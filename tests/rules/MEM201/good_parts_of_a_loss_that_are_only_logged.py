# the method that gives the loss also gives parts of it for the log: the line as a whole trains

import torch
from parts import Prior
from torch import nn, optim


class Model(nn.Module):
    def __init__(self, encoder, width):
        super().__init__()
        self.encoder = encoder
        self.prior = Prior(width)

    def bound(self, x, y):
        z = self.encoder.encode(x)
        both = torch.cat([z, y], dim=1)
        joint = self.prior.log_prob(both)
        of_y = self.prior.log_prob(both, marginal="y")
        of_z = self.prior.log_prob(both, marginal="z")
        given_y = joint - of_y
        given_z = joint - of_z
        bound = z.mean() + given_z.mean()
        return bound, {
            "z": given_z.mean().detach().cpu().numpy(),
            "y": given_y.mean().detach().cpu().numpy(),
        }

    def fit(self, train_loader, epochs):
        optimizer = optim.Adam(self.parameters())
        for _ in range(epochs):
            for x, y in train_loader:
                bound, parts = self.bound(x, y)
                optimizer.zero_grad()
                loss = -bound
                loss.backward()
                optimizer.step()

    def fit_prior(self, reward, rounds):
        optimizer = optim.Adam(self.prior.parameters())
        for _ in range(rounds):
            z = self.prior.sample(10)
            loss = -self.prior.log_prob(z).mean()
            loss.backward()
            optimizer.step()
