# once an epoch the decoder of the trained network makes a picture

import torch
from torch import nn
from torchvision.utils import save_image


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Linear(784, 20), nn.Linear(20, 784)

    def decode(self, z):
        h = self.up(z)
        return torch.sigmoid(h)

    def forward(self, x):
        return self.decode(self.down(x))


def train(net, loader, opt, epochs):
    for epoch in range(epochs):
        for x in loader:
            loss = nn.functional.mse_loss(net(x), x)
            opt.zero_grad()
            loss.backward()
            opt.step()
        picture = net.decode(torch.randn(64, 20))  #! MEM201 advice
        save_image(picture.view(64, 1, 28, 28), f"{epoch}.png")


if __name__ == "__main__":
    net = Coder()
    train(net, torch.rand(99, 8, 784), torch.optim.Adam(net.parameters()), 9)
