import torch


def autocast():
    return torch.autocast("cuda", dtype=torch.float16)
