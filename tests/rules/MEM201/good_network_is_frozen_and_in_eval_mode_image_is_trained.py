# style transfer: the network is frozen and in eval mode, the image is trained

import torch

vgg = torch.nn.Conv2d(3, 8, 3).eval().requires_grad_(False)
content = torch.rand(1, 3, 32, 32)
image = content.clone().requires_grad_(True)
optimizer = torch.optim.LBFGS([image])
target = vgg(content)
for step in range(5):

    def closure():
        optimizer.zero_grad()
        loss = (vgg(image) - target).pow(2).mean()
        loss.backward()
        return loss

    optimizer.step(closure)
