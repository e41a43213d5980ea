# scheduler with the verbose argument

import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau


def build(model):
    optimizer = torch.optim.Adam(model.parameters())
    plateau = ReduceLROnPlateau(optimizer, mode="min", patience=3)
    steps = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    return optimizer, plateau, steps
