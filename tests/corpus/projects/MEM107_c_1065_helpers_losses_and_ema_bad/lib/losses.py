import torch
import torch.nn.functional as F


def focal(logits, y, gamma=2.0):
    ce = F.cross_entropy(logits, y, reduction="none")
    return ((1 - torch.exp(-ce)) ** gamma * ce).mean()


def all_losses(logits, y):
    return {"focal": focal(logits, y), "ce": F.cross_entropy(logits, y)}
