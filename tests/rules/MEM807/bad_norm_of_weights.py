# a layer whose weights are normed, and one that is told not to be in place

import torch
from torch import nn
from torch.nn.utils import spectral_norm


class Critic(nn.Module):
    def __init__(self, n, slope):
        super().__init__()
        self.body = nn.Sequential(
            spectral_norm(nn.Conv2d(3, n, 4, 2, 1)),
            nn.LeakyReLU(negative_slope=slope, inplace=False),  #! MEM807 advice
            nn.Flatten(),
            nn.LeakyReLU(0.1, inplace=True),
            spectral_norm(nn.Linear(n * 64, 64)),
            nn.SELU(),
        )

    def forward(self, x):
        return self.body(x)


critic = Critic(64, 0.2).to("cuda")
optimizer = torch.optim.SGD(critic.parameters(), lr=1e-4)
for x in torch.load("data.pt"):
    optimizer.zero_grad()
    critic(x.to("cuda")).mean().backward()
    optimizer.step()
