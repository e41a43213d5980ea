"""WGAN: the helper draws from a new iterator for each critic step."""
import torch
from torch.utils.data import DataLoader
from torchvision.datasets import LSUN
from torchvision.transforms import ToTensor


class WGAN:
    def __init__(self, root, g, d, n_critic=5):
        self.g, self.d, self.n_critic = g.cuda(), d.cuda(), n_critic
        self.loader = DataLoader(LSUN(root, transform=ToTensor()), 64, shuffle=True, num_workers=8, drop_last=True)
        self.go = torch.optim.RMSprop(g.parameters(), 5e-5)
        self.do = torch.optim.RMSprop(d.parameters(), 5e-5)

    def real(self):
        return next(iter(self.loader))[0].cuda()  #! MEM405

    def fake(self, grad):
        with torch.set_grad_enabled(grad):
            return self.g(torch.randn(64, 100, 1, 1, device="cuda"))

    def train(self, steps):
        for step in range(steps):
            for _ in range(self.n_critic):
                self.do.zero_grad()
                (self.d(self.fake(False)).mean() - self.d(self.real()).mean()).backward()  #= MEM405
                self.do.step()
            self.go.zero_grad()
            (-self.d(self.fake(True)).mean()).backward()
            self.go.step()
