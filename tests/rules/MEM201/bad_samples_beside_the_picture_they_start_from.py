# the list begins with the input, and ends as a picture

import torch
from torchvision.utils import save_image

from model import Generator


class Solver:
    def __init__(self, loader):
        self.G = Generator(64, 5, 6).to("cuda")
        self.loader = loader

    def sample(self):
        for i, (real, domain) in enumerate(self.loader):
            real = real.to("cuda")
            rows = [real]
            for k in range(5):
                other = torch.roll(domain, k, 1).cuda()
                rows.append(self.G(real, other))  #! MEM201
            save_image(torch.cat(rows, dim=3).data.cpu(), "%d.png" % i)
