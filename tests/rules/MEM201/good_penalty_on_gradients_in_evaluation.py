# The penalty differentiates by the samples, in validation too: under no_grad that would raise.

import torch


class Trainer:
    def run(self, model, loader, optimizer=None):
        if optimizer is None:
            model.eval()
        total = 0.0
        for real in loader:
            fake = self.sampler.sample(len(real))
            penalty = model.compute_gradient_penalty(real.data, fake.data, self.critic)
            loss = self.critic(fake).mean() - self.critic(real).mean() + 10 * penalty
            total += loss.item()
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return total


def fit(trainer, model, train_loader, valid_loader):
    optimizer = torch.optim.Adam(trainer.critic.parameters())
    for _ in range(10):
        trainer.run(model, train_loader, optimizer)
        print(trainer.run(model, valid_loader))
