# the image pool of a GAN stores .data

import random

import torch


class ImagePool:
    def __init__(self, size):
        self.size, self.images = size, []

    def query(self, images):
        result = []
        for image in images:
            image = torch.unsqueeze(image.data, 0)
            if len(self.images) < self.size:
                self.images.append(image)
                result.append(image)
            else:
                i = random.randrange(self.size)
                old, self.images[i] = self.images[i].clone(), image
                result.append(old)
        return torch.cat(result, 0)


G, D = torch.nn.Conv2d(1, 1, 3, padding=1), torch.nn.Conv2d(1, 1, 3)
opt = torch.optim.Adam(D.parameters())
pool = ImagePool(8)
for x in torch.randn(10, 2, 1, 8, 8):
    loss = D(pool.query(G(x))).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
