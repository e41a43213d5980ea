# everything is frozen first, the head thawed again

import torch
import torchvision

net = torchvision.models.resnet18(weights="DEFAULT")
net.requires_grad_(False)
net.fc.requires_grad_(True)
optimizer = torch.optim.SGD(net.fc.parameters(), lr=0.1)
for x in torch.randn(3, 2, 3, 64, 64):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
