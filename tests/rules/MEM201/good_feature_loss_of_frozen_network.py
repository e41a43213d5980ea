# feature loss of a frozen network in training: its graph is needed for the other one

import torch

vgg = torch.nn.Conv2d(3, 8, 3).eval()
net = torch.nn.Conv2d(3, 3, 3, padding=1)
opt = torch.optim.Adam(net.parameters())
for img in torch.rand(10, 1, 3, 16, 16):
    loss = (vgg(net(img)) - vgg(img)).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
