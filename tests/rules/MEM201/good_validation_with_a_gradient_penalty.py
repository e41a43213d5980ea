# the penalty differentiates the critic in validation as well: no_grad would stop it

import torch


class Trainer:
    def epoch(self, model, loader, optimizer=None):
        if optimizer is None:
            model.eval()
        total = 0.0
        for real in loader:
            fake = self.sampler.sample(real.shape[0])
            valid = self.critic(real.cuda())
            penalty = model.compute_gradient_penalty(real.data, fake.data, self.critic)
            loss = -valid.mean() + penalty
            total += loss.item()
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return total

    def fit(self, model, train_loader, val_loader):
        optimizer = torch.optim.Adam(model.parameters())
        for _ in range(10):
            self.epoch(model, train_loader, optimizer)
            self.epoch(model, val_loader)
