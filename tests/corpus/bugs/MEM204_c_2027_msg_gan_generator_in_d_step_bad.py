# Relativistic average GAN; the discriminator's step takes the generator's samples as they come.
import torch
from torch import nn
from tqdm import tqdm


def make(kind, width=96):
    match kind:
        case "generator":
            return nn.Sequential(nn.Linear(12, width), nn.ReLU(), nn.Linear(width, 64), nn.Tanh())
        case "discriminator":
            return nn.Sequential(nn.Linear(64, width), nn.LeakyReLU(0.2), nn.Linear(width, 1))
        case other:
            raise ValueError(other)


def relativistic(a, b):
    return (torch.relu(1 - (a - b.mean())) + torch.relu(1 + (b - a.mean()))).mean()


class MSGGAN:
    def __init__(self, batch_size=32):
        self.gen, self.dis = make("generator"), make("discriminator")
        self.gen_opt = torch.optim.RMSprop(self.gen.parameters(), 3e-3)
        self.dis_opt = torch.optim.RMSprop(self.dis.parameters(), 3e-3)
        self.batch_size = batch_size

    def optimize_discriminator(self, noise, real):
        fake_samples = self.gen(noise)  #= MEM204
        loss = relativistic(self.dis(real), self.dis(fake_samples))  #! MEM204
        self.dis_opt.zero_grad()
        loss.backward()
        self.dis_opt.step()
        return loss.item()

    def optimize_generator(self, noise, real):
        loss = relativistic(self.dis(self.gen(noise)), self.dis(real))
        self.gen_opt.zero_grad()
        loss.backward()
        self.gen_opt.step()
        return loss.item()

    def train(self, data, epochs):
        for epoch in range(epochs):
            for real in tqdm(data.split(self.batch_size), desc=f"epoch {epoch}", disable=True):
                noise = torch.randn(len(real), 12)
                d = self.optimize_discriminator(noise, real)
                g = self.optimize_generator(noise, real)
            print(epoch, d, g)


MSGGAN().train(torch.rand(640, 64) * 2 - 1, 3)
