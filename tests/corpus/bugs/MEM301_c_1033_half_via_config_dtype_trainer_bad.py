from dataclasses import dataclass, field

import torch
import torch.nn as nn


@dataclass
class Config:
    lr: float = 3e-4
    dtype: torch.dtype = torch.float16
    steps: int = 1000
    device: str = "cuda"


class ResBlock(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.net = nn.Sequential(nn.GroupNorm(8, ch), nn.SiLU(), nn.Conv2d(ch, ch, 3, padding=1))

    def forward(self, x):
        return x + self.net(x)


class Trainer:
    def __init__(self, cfg: Config):
        self.cfg = cfg
        self.unet = nn.Sequential(nn.Conv2d(3, 64, 3, padding=1), ResBlock(64), ResBlock(64), nn.Conv2d(64, 3, 3, padding=1))
        self.unet.to(cfg.device, dtype=cfg.dtype)  #! MEM301
        self.optim = torch.optim.AdamW(self.unet.parameters(), lr=cfg.lr)

    def run(self):
        for _ in range(self.cfg.steps):
            x = torch.randn(8, 3, 32, 32, device=self.cfg.device, dtype=self.cfg.dtype)
            noise = torch.randn_like(x)
            loss = nn.functional.mse_loss(self.unet(x + noise), noise)
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()


Trainer(Config()).run()
