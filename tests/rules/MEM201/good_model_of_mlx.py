# the code is for MLX, which has names like those of torch

import mlx.core as mx
import mlx.nn as nn

from project.data import loader_of


def distill(model, teacher, loader):
    teacher.eval()
    losses = []
    for x, y in loader:
        logits = teacher(x)
        losses.append(nn.losses.cross_entropy(logits, y).mean().item())
    return sum(losses)


def evaluate(model, teacher, path):
    model.eval()
    return distill(model, teacher, loader_of(path)), mx.get_peak_memory()
