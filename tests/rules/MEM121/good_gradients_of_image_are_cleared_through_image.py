# the gradients of an image are cleared through the image

import torch

net = torch.nn.Conv2d(3, 4, 3)
img = torch.rand(1, 3, 16, 16, requires_grad=True)
optimizer = torch.optim.Adam([img], lr=0.05)
for i in range(100):
    loss = net(img).pow(2).mean()
    loss.backward()
    optimizer.step()
    img.grad.zero_()
