# perceptual loss: gradients pass through the network to the generator, and stay in its parameters as well

import torch
import torchvision
from torch import nn

vgg = torchvision.models.vgg16(weights="DEFAULT").features.eval()
vgg.requires_grad_(False)
generator = nn.Conv2d(3, 3, 3, padding=1)
opt = torch.optim.Adam(generator.parameters())
for image in torch.randn(5, 1, 3, 64, 64):
    fake = generator(image)
    loss = nn.functional.l1_loss(vgg(fake), torch.zeros(1, 512, 2, 2))
    opt.zero_grad()
    loss.backward()
    opt.step()
