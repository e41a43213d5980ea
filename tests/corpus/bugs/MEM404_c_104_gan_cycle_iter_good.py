import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision.datasets import CelebA
from torchvision import transforms as T


def cycle(loader):
    while True:
        for batch in loader:
            yield batch


class WGAN:
    def __init__(self, root, bs=64):
        ds = CelebA(root, transform=T.Compose([T.Resize(64), T.ToTensor()]))
        self.loader = DataLoader(ds, bs, shuffle=True, drop_last=True, num_workers=8)
        self.G = nn.Linear(100, 3 * 64 * 64)
        self.D = nn.Linear(3 * 64 * 64, 1)
        self.optD = torch.optim.RMSprop(self.D.parameters(), lr=5e-5)

    def train(self, iters):
        stream = cycle(self.loader)
        for _ in range(iters):
            for _ in range(5):
                real, _ = next(stream)
                z = torch.randn(real.size(0), 100)
                with torch.no_grad():
                    fake = self.G(z)
                self.optD.zero_grad()
                loss = self.D(fake).mean() - self.D(real.flatten(1)).mean()
                loss.backward()
                self.optD.step()
