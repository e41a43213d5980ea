# a method with an unlimited lru_cache, called from main

from functools import lru_cache

import torch
from PIL import Image
from torch.utils import data
from torchvision.transforms.functional import to_tensor


class Faces(data.Dataset):
    def __init__(self, names):
        self.names = names

    @lru_cache(maxsize=None)  #! MEM411 warning
    def load(self, name):
        return to_tensor(Image.open(name))

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        return self.load(self.names[i])


def main(names):
    net = torch.nn.LazyLinear(2)
    opt = torch.optim.Adam(net.parameters())
    for x in data.DataLoader(Faces(names), 16, shuffle=True, num_workers=8):
        opt.zero_grad()
        net(x.flatten(1)).logsumexp(1).mean().backward()
        opt.step()


if __name__ == "__main__":
    main(["a.png", "b.png"])
