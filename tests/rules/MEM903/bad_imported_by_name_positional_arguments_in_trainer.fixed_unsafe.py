# imported by name, positional arguments, in a trainer class

import torch
from torch.amp import GradScaler, autocast


class Trainer:
    def __init__(self, model, use_amp):
        self.model = model
        self.use_amp = use_amp
        self.scaler = GradScaler("cuda", 1024.0, enabled=use_amp)

    def forward(self, x):
        with autocast("cuda", enabled=self.use_amp, dtype=torch.float16):
            return self.model(x)
