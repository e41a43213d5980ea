import torch
from torch.nn import BCEWithLogitsLoss, Linear, Sequential, Tanh

LATENT = 64


class GAN:
    def __init__(self):
        self.G = Sequential(Linear(LATENT, 784), Tanh()).cuda()
        self.D = Linear(784, 1).cuda()
        self.opt_g = torch.optim.Adam(self.G.parameters(), 2e-4)
        self.opt_d = torch.optim.Adam(self.D.parameters(), 2e-4)
        self.bce = BCEWithLogitsLoss()

    def step(self, real):
        z = torch.randn(len(real), LATENT).cuda()
        fake = self.G(z)
        ones, zeros = torch.ones(len(real), 1).cuda(), torch.zeros(len(real), 1).cuda()
        self.opt_d.zero_grad()
        (self.bce(self.D(real), ones) + self.bce(self.D(fake.detach()), zeros)).backward()
        self.opt_d.step()
        self.opt_g.zero_grad()
        self.bce(self.D(fake), ones).backward()
        self.opt_g.step()


gan = GAN()
for _ in range(10):
    gan.step(torch.randn(32, 784).cuda())
