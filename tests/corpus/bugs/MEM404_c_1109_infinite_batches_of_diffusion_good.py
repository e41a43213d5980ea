import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder
from torchvision.transforms import Compose, Resize, ToTensor


def cycle(dl):
    while True:
        for data in dl:
            yield data


class Trainer:
    def __init__(self, unet, folder, steps=700000, bs=16):
        self.model = unet.cuda()
        ds = ImageFolder(folder, Compose([Resize((128, 128)), ToTensor()]))
        dl = DataLoader(ds, batch_size=bs, shuffle=True, pin_memory=True, num_workers=4, persistent_workers=True)
        self.dl = cycle(dl)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=8e-5)
        self.steps = steps

    def train(self):
        for step in range(self.steps):
            img, _ = next(self.dl)
            loss = nn.functional.mse_loss(self.model(img.cuda(non_blocking=True)), torch.randn_like(img).cuda())
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
