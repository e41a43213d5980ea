# the constructor of a network learns the shapes of its parts

from torch import nn

from blocks import *


class Ladder(SequentialStack):
    def __init__(self, encoder, example):
        x = encoder.eval()(example).detach()
        layers = []
        for size in (8, 16):
            block = nn.Sequential(nn.Linear(x.shape[1], size), nn.ReLU()).eval()
            x = block(x)
            layers.append(block)
        super().__init__(*layers)
