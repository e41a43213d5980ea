# frozen parameters in the optimizer cost nothing

import torch
import torchvision

net = torchvision.models.resnet18(weights="DEFAULT")
net.layer1.requires_grad_(False)
optimizer = torch.optim.Adam(net.parameters())
for x in torch.randn(3, 2, 3, 64, 64):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
