# fit fits a member first, which is no call of fit itself: sample runs the network that fit has made

import torch
from preparation import DataTransformer, seeded
from torch import nn


class Synthesizer:
    def __init__(self, size, device="cuda"):
        self._size, self._device = size, torch.device(device)
        self._transformer = None
        self._generator = None

    @seeded
    def fit(self, rows, loader):
        self._transformer = DataTransformer()
        self._transformer.fit(rows)
        self._generator = nn.Linear(self._size, self._size).to(self._device)
        optimizer = torch.optim.Adam(self._generator.parameters())
        for noise, wanted in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(self._generator(noise), wanted).backward()
            optimizer.step()

    @seeded
    def sample(self, steps):
        rows = []
        for _ in range(steps):
            noise = torch.randn(64, self._size, device=self._device)
            made = self._generator(noise)  #! MEM201 warning
            rows.append(made.detach().cpu().numpy())
        return self._transformer.inverse_transform(rows)
