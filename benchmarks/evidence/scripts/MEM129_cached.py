# claim: GROWTH, expected: confirmed (every network of the search stays, with the windows that it made)
import functools

import torch
from torch import nn


class Spectrum(nn.Module):
    def __init__(self, bands):
        super().__init__()
        self.tilt = nn.Parameter(torch.ones(bands))

    @functools.cache  # noqa: B019
    def window(self, size):
        return torch.hann_window(size, device=self.tilt.device)

    def forward(self, wave):
        return (wave * self.window(wave.shape[-1])).mean() * self.tilt.sum()


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
wave = torch.randn(4, 16_384, device=device)
for trial in range(40):
    net = Spectrum(1_000 + trial).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    optimizer.zero_grad()
    loss = net(wave)
    loss.backward()
    optimizer.step()
    print(loss.item())
