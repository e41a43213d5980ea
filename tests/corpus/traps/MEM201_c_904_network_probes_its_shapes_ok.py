"""A decoder that runs its blocks on one empty image while it is built, to learn their shapes."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class Decoder(nn.Module):
    def __init__(self, encoder, widths, size):
        super().__init__()
        encoder.eval()
        x = encoder(torch.zeros(1, 3, size, size)).detach()
        layers = [encoder]
        for width in widths:
            block = nn.Sequential(nn.Conv2d(x.shape[1], width, 3, padding=1), nn.ReLU()).eval()
            layers.append(block)
            x = block(x)
        self.layers = nn.Sequential(*layers)
        self.head = nn.Linear(x.shape[1], 1)

    def forward(self, x):
        return self.head(self.layers(x).mean(dim=(2, 3)))


def fit(pictures):
    net = Decoder(nn.Conv2d(3, 8, 3, padding=1), [16, 32], 64)
    optimizer = torch.optim.AdamW(net.parameters())
    for x, y in DataLoader(pictures, batch_size=8, num_workers=4):
        optimizer.zero_grad()
        loss = (net(x).squeeze(-1) - y).square().mean()
        loss.backward()
        optimizer.step()
