import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, z=128, ch=64):
        super().__init__()
        self.z = z
        self.main = nn.Sequential(
            nn.ConvTranspose2d(z, ch * 4, 4), nn.BatchNorm2d(ch * 4), nn.ReLU(True),
            nn.ConvTranspose2d(ch * 4, ch, 4, 2, 1), nn.ReLU(True), nn.ConvTranspose2d(ch, 3, 4, 2, 1), nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z[:, :, None, None])


class Discriminator(nn.Module):
    def __init__(self, ch=64):
        super().__init__()
        self.main = nn.Sequential(nn.Conv2d(3, ch, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(ch, 1, 8))

    def forward(self, x):
        return self.main(x).flatten()
