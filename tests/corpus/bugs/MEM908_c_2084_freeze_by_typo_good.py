# Meant to be frozen.
import torch
from torch import nn
from torchvision.models import efficientnet_b0

net = efficientnet_b0(weights="DEFAULT")
for name, param in net.named_parameters():
    if not name.startswith("classifier"):
        param.requires_grad = False
net.classifier[1] = nn.Linear(net.classifier[1].in_features, 5)
optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, net.parameters()), lr=1e-3)
for _ in range(10):
    image, label = torch.rand(4, 3, 224, 224), torch.randint(5, (4,))
    loss = nn.functional.cross_entropy(net(image), label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
