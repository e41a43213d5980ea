import torch
from ignite.contrib.handlers import ProgressBar
from ignite.engine import Engine, Events
from ignite.handlers import ModelCheckpoint


class Gan:
    def __init__(self, gen, disc, device):
        self.gen, self.disc, self.device = gen, disc, device
        self.opt_g = torch.optim.Adam(gen.parameters(), 2e-4)
        self.opt_d = torch.optim.Adam(disc.parameters(), 2e-4)

    def step(self, engine, batch):
        real = batch.to(self.device)
        fake = self.gen(torch.randn(len(real), 64, device=self.device))
        self.opt_d.zero_grad()
        loss_d = torch.relu(1 - self.disc(real)).mean() + torch.relu(1 + self.disc(fake.detach())).mean()
        loss_d.backward()
        self.opt_d.step()
        self.opt_g.zero_grad()
        loss_g = -self.disc(fake).mean()
        loss_g.backward()
        self.opt_g.step()
        return loss_d.item(), loss_g.item()


def train(gen, disc, loader):
    gan = Gan(gen, disc, "cuda")
    trainer = Engine(gan.step)
    ProgressBar().attach(trainer)
    trainer.add_event_handler(Events.EPOCH_COMPLETED, ModelCheckpoint("out", "gan"), {"gen": gen})
    trainer.run(loader, max_epochs=10)
