# imported by name, positional arguments, in a trainer class

import torch
from torch.cuda.amp import GradScaler, autocast


class Trainer:
    def __init__(self, model, use_amp):
        self.model = model
        self.use_amp = use_amp
        self.scaler = GradScaler(1024.0, enabled=use_amp)  #! MEM903

    def forward(self, x):
        with autocast(self.use_amp, torch.float16):  #! MEM903
            return self.model(x)
