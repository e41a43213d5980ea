# rows of tensors have small headers; records with texts are many Python objects

import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.io import read_image


class Masks(Dataset):
    def __init__(self, pairs):
        self.items = []  #! MEM402 advice
        for image, mask in pairs:
            sample = torch.stack([read_image(image) / 255, read_image(image) / 127])
            self.items.append((sample, torch.ones(3, 512, 512).to(torch.long)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class Named(Dataset):
    def __init__(self, pairs):
        self.items = []  #! MEM402 warning
        for image, text in pairs:
            self.items.append({"x": torch.ones(3, 8), "text": text.split()})

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def loop(net, opt, loader):
    for x, y in loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()


def main(pairs, net):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    loop(net, opt, DataLoader(Masks(pairs), batch_size=4, num_workers=8))
    loop(net, opt, DataLoader(Named(pairs), batch_size=4, num_workers=8))
