# Progressive growing: the losses of the discriminator are objects, each with a backward of its own.
import torch as th
from torch import nn


class WGAN_GP:
    def __init__(self, dis, drift=0.001):
        self.dis = dis
        self.drift = drift

    def __gradient_penalty(self, real, fake, reg_lambda=10):
        epsilon = th.rand(real.shape[0], 1)
        merged = (epsilon * real) + ((1 - epsilon) * fake)
        merged.requires_grad_(True)
        op = self.dis(merged)
        gradient = th.autograd.grad(op, merged, th.ones_like(op), create_graph=True)[0]
        return reg_lambda * ((gradient.norm(p=2, dim=1) - 1) ** 2).mean()

    def dis_loss(self, real, fake):
        r, f = self.dis(real), self.dis(fake)
        return f.mean() - r.mean() + self.drift * (r ** 2).mean() + self.__gradient_penalty(real, fake)

    def gen_loss(self, fake):
        return -self.dis(fake).mean()


class ProGAN:
    def __init__(self, width=32, latent=8):
        self.gen = nn.Sequential(nn.Linear(latent, width), nn.ReLU(), nn.Linear(width, 4))
        self.dis = nn.Sequential(nn.Linear(4, width), nn.Softplus(), nn.Linear(width, 1))
        self.loss = WGAN_GP(self.dis)
        self.gen_optim = th.optim.Adam(self.gen.parameters(), 1e-3, (0, 0.99))
        self.dis_optim = th.optim.Adam(self.dis.parameters(), 1e-3, (0, 0.99))
        self.latent = latent

    def optimize_discriminator(self, noise, real_batch):
        fake = self.gen(noise).detach()
        loss = self.loss.dis_loss(real_batch, fake)
        self.dis_optim.zero_grad()
        loss.backward()
        self.dis_optim.step()
        return loss.item()

    def optimize_generator(self, noise):
        loss = self.loss.gen_loss(self.gen(noise))
        self.gen_optim.zero_grad()
        loss.backward()
        self.gen_optim.step()
        return loss.item()

    def train(self, iterations):
        for i in range(1, iterations + 1):
            noise = th.randn(16, self.latent)
            dis_loss = self.optimize_discriminator(noise, th.randn(16, 4))
            gen_loss = self.optimize_generator(noise)
            if i % 100 == 0:
                print("batch: %d d_loss: %f g_loss: %f" % (i, dis_loss, gen_loss))


ProGAN().train(400)
