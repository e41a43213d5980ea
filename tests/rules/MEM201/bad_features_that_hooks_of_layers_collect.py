# what forward() gives was put there by hooks on layers of a network of torchvision

import torch
from torch import nn
from torchvision import models


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = models.resnet50(weights="DEFAULT")
        self.taken = []
        self.net.layer2.register_forward_hook(self.take)
        self.net.layer3.register_forward_hook(self.take)

    def take(self, module, inputs, output):
        self.taken.append(output)

    def forward(self, images):
        self.taken = []
        self.net(images)
        return self.taken


class Bank:
    def __init__(self, device):
        self.device = device
        self.layers = Layers().to(device)
        self.layers.eval()

    def fill(self, loader):
        rows = []
        for batch in loader:
            images = batch["image"].to(self.device)
            found = self.layers(images)  #! MEM201 warning
            rows.append(torch.cat([f.mean((2, 3)) for f in found], 1).cpu())
        self.rows = torch.cat(rows)
