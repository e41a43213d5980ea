# groups with different rates cover all of it

import torch
import torchvision

net = torchvision.models.vgg11(weights="DEFAULT")
groups = [{"params": net.features.parameters(), "lr": 1e-4}, {"params": net.classifier.parameters()}]
optimizer = torch.optim.SGD(groups, lr=1e-2)
for x in torch.randn(3, 2, 3, 224, 224):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
