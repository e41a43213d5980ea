from torch import nn


def make_net():
    return nn.Sequential(nn.Linear(128, 512), nn.GELU(), nn.Linear(512, 16))
