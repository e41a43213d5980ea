# weights of penalties are numbers by their defaults, and stay numbers

import torch


class Augmented:
    def __init__(self, model, mu=1e-3, multiplier=0.0):
        self.model, self.mu, self.multiplier = model, mu, multiplier

    def train(self, batches, optimizer, constraint):
        mu, multiplier = self.mu, self.multiplier
        weights, multipliers, penalties = [], [], []
        for step, x in enumerate(batches):
            gap = constraint(self.model)
            whole = -torch.mean(self.model(x)) + 0.5 * mu * gap**2 + multiplier * gap
            optimizer.zero_grad()
            whole.backward()
            optimizer.step()
            weights.append(mu)
            multipliers.append(multiplier)
            penalties.append(0.5 * mu * gap.item() ** 2 + multiplier * gap.item())
            if step % 200 == 0 and gap.item() > 1e-8:
                multiplier += mu * gap.item()
                mu *= 10
        return weights, multipliers, penalties
