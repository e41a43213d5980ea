# backward() runs through what the hooks took; the statistics are made of what they detach

import torch
import torch.nn.functional as F
from torch import nn
from torchvision import models


class Perceptual(nn.Module):
    def __init__(self):
        super().__init__()
        self.vgg = models.vgg16(weights="DEFAULT").features.eval()
        self.taken = []
        for place in (3, 8, 15):
            self.vgg[place].register_forward_hook(lambda module, inputs, output: self.taken.append(output))

    def layers(self, images):
        self.taken = []
        self.vgg(images)
        return self.taken

    def forward(self, made, wanted):
        pairs = zip(self.layers(made), self.layers(wanted))
        return sum(F.l1_loss(a, b) for a, b in pairs)


def train(net, loader, epochs):
    distance = Perceptual().requires_grad_(False).cuda()
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        for low, high in loader:
            loss = distance(net(low.cuda()), high.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


@torch.no_grad()
def statistics(loader):
    net = models.resnet18(weights="DEFAULT").cuda().eval()
    seen = {}
    net.layer4.register_forward_hook(lambda module, inputs, output: seen.update(last=output))
    means = []
    for images, _ in loader:
        net(images.cuda())
        means.append(seen["last"].mean((0, 2, 3)).cpu())
    return torch.stack(means)
