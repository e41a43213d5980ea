import torch
import torchvision
from torch import nn

vgg = torchvision.models.vgg16(weights="DEFAULT").features.eval().requires_grad_(False)
image = torch.rand(1, 3, 64, 64, requires_grad=True)
opt = torch.optim.Adam([image])
for step in range(100):
    loss = nn.functional.mse_loss(vgg(image), torch.zeros(1, 512, 2, 2))
    opt.zero_grad()
    loss.backward()
    opt.step()
