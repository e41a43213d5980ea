"""A generator and a discriminator of convolutions, images of 64 x 64, two Adams in turn."""

import torch
from torch import nn

BATCH, NOISE, WIDTH = 128, 100, 64


def grown(before, after, stride=2, padding=1):
    return [
        nn.ConvTranspose2d(before, after, 4, stride, padding, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(True),
    ]


def shrunk(before, after):
    return [nn.Conv2d(before, after, 4, 2, 1, bias=False), nn.BatchNorm2d(after), nn.LeakyReLU(0.2, True)]


torch.manual_seed(0)
generator = nn.Sequential(
    *grown(NOISE, 8 * WIDTH, 1, 0),
    *grown(8 * WIDTH, 4 * WIDTH),
    *grown(4 * WIDTH, 2 * WIDTH),
    *grown(2 * WIDTH, WIDTH),
    nn.ConvTranspose2d(WIDTH, 3, 4, 2, 1, bias=False),
    nn.Tanh(),
).cuda()
critic = nn.Sequential(
    nn.Conv2d(3, WIDTH, 4, 2, 1, bias=False),
    nn.LeakyReLU(0.2, True),
    *shrunk(WIDTH, 2 * WIDTH),
    *shrunk(2 * WIDTH, 4 * WIDTH),
    *shrunk(4 * WIDTH, 8 * WIDTH),
    nn.Conv2d(8 * WIDTH, 1, 4, 1, 0, bias=False),
    nn.Flatten(0),
).cuda()
loss_of = nn.BCEWithLogitsLoss()
steps = [torch.optim.Adam(net.parameters(), 2e-4, betas=(0.5, 0.999)) for net in (generator, critic)]
for _ in range(4):
    real = torch.rand(BATCH, 3, 64, 64, device="cuda")
    made = generator(torch.randn(BATCH, NOISE, 1, 1, device="cuda"))
    critic.zero_grad()
    is_real = loss_of(critic(real), torch.ones(BATCH, device="cuda"))
    is_real.backward()
    is_made = loss_of(critic(made.detach()), torch.zeros(BATCH, device="cuda"))
    is_made.backward()
    steps[1].step()
    generator.zero_grad()
    fooled = loss_of(critic(made), torch.ones(BATCH, device="cuda"))
    fooled.backward()
    steps[0].step()
    print((is_real + is_made).item(), fooled.item())
