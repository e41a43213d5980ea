# what is kept are the images that are optimized, each batch with an optimizer of its own

import torch
from torch.utils.data import DataLoader

from generation import Images


class Holder:
    def __init__(self, images, optimizer):
        self.images = images.requires_grad_()
        self.optimizer = optimizer([self.images])


def start(data, device):
    holders = []
    loader = DataLoader(data, batch_size=8)
    for images in loader:
        holders.append(Holder(images=images.to(device), optimizer=torch.optim.Adam))
    return holders


def start_elsewhere(data, optimizer, device):
    holders = []
    for images in DataLoader(data, batch_size=8):
        holders.append(Images(images.to(device), optimizer))
    return holders
