# nothing of the network learns: its last layer is taken off, and the head is another module

import torch
from torch import nn
from torchvision import models

net = models.resnet18(weights="DEFAULT").cuda()
for p in net.parameters():
    p.requires_grad = False
net.fc = nn.Identity()
net.eval()
for x, _ in torch.utils.data.DataLoader(torch.load("held_out.pt", map_location="cpu"), 64):
    print(net(x.cuda()).argmax(1))
