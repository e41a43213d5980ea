from itertools import count

import torch
import torchvision
from torch import autograd, nn

class WGAN:
    def __init__(self, opt):
        self.opt = opt
        self.G = nn.Linear(100, 784)
        self.D = nn.Linear(784, 1)
        self.g_opt = torch.optim.RMSprop(self.G.parameters(), lr=opt.lr)
        self.d_opt = torch.optim.RMSprop(self.D.parameters(), lr=opt.lr)
        self.dataloader = torch.utils.data.DataLoader(
            torchvision.datasets.FashionMNIST(".", transform=torchvision.transforms.ToTensor()),
            opt.batch_size, True, num_workers=opt.workers,
        )

        self.it = iter(self.dataloader)

    def critic_step(self):
        try:
            real, _ = next(self.it)
        except StopIteration:
            self.it = iter(self.dataloader)
            real, _ = next(self.it)
        real = real.flatten(1)
        fake = self.G(torch.randn(real.size(0), 100)).detach()
        self.d_opt.zero_grad()
        (self.D(fake).mean() - self.D(real).mean()).backward()
        self.d_opt.step()

    def train(self):
        for i in count():
            for _ in range(self.opt.n_critic):
                self.critic_step()
            self.g_opt.zero_grad()
            (-self.D(self.G(torch.randn(64, 100))).mean()).backward()
            self.g_opt.step()
            if i > self.opt.iters:
                break
