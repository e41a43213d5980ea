# the picture of a style is optimized, not the network of a class of the file that describes it

import torch
import torchvision
from torch import nn


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torchvision.models.vgg19(weights="DEFAULT").features[:29]

    def forward(self, x):
        found = []
        for layer in self.layers:
            x = layer(x)
            found.append(x)
        return found


def gram(x):
    flat = x.flatten(2)
    return flat @ flat.mT / flat.numel()


device = torch.device("cuda")
features = Features().to(device).eval()  #! MEM205 warning
with torch.no_grad():
    wanted = [gram(f) for f in features(torch.rand(1, 3, 128, 128, device=device))]
image = torch.rand(1, 3, 128, 128, device=device).requires_grad_(True)
optimizer = torch.optim.LBFGS([image])


def closure():
    optimizer.zero_grad()
    loss = sum((gram(f) - w).pow(2).sum() for f, w in zip(features(image), wanted))
    loss.backward()
    return loss


for step in range(100):
    optimizer.step(closure)
