import torch
from torch.utils.data import DataLoader
from torchvision.datasets import LSUN
from torchvision.transforms import ToTensor


class WGAN:
    def __init__(self, root, g, d, n_critic=5):
        self.g, self.d, self.n_critic = g.cuda(), d.cuda(), n_critic
        self.loader = DataLoader(LSUN(root, transform=ToTensor()), 64, shuffle=True, num_workers=8, drop_last=True)
        self.it = iter(self.loader)
        self.fixed = next(iter(self.loader))[0][:8]
        self.do = torch.optim.RMSprop(d.parameters(), 5e-5)

    def real(self):
        try:
            return next(self.it)[0].cuda()
        except StopIteration:
            self.it = iter(self.loader)
            return next(self.it)[0].cuda()

    def preview(self):
        return next(iter(self.loader))[0][:16]

    def train(self, steps):
        self.preview()
        for step in range(steps):
            with torch.no_grad():
                fake = self.g(torch.randn(64, 100, 1, 1, device="cuda"))
            self.do.zero_grad()
            (self.d(fake).mean() - self.d(self.real()).mean()).backward()
            self.do.step()
