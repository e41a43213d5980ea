import torch
import torchvision
from torch import nn


class Perceptual(nn.Module):
    def __init__(self):
        super().__init__()
        self.vgg = torchvision.models.vgg16(weights="DEFAULT").features[:16].eval()
        for p in self.vgg.parameters():
            p.requires_grad = False

    def forward(self, out, goal):
        return (self.vgg(out) - self.vgg(goal)).abs().mean()


class SuperRes:
    def __init__(self, net):
        self.net = net.cuda()
        self.perc = Perceptual().cuda()
        self.opt = torch.optim.Adam(self.net.parameters(), 2e-4)

    def epoch(self, loader):
        for low, high in loader:
            low, high = low.cuda(), high.cuda()
            up = self.net(low)
            loss = (up - high).abs().mean() + 0.1 * self.perc(up, high)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
