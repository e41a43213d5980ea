# frozen parameter by parameter

import torch
import torchvision

net = torchvision.models.resnet18(weights="DEFAULT")
for name, p in net.named_parameters():
    if "fc" not in name:
        p.requires_grad = False
optimizer = torch.optim.SGD(net.fc.parameters(), lr=0.1)
for x in torch.randn(3, 2, 3, 64, 64):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
