import torchvision
from torch import nn


class VGGFeatures(nn.Module):
    def __init__(self, layers=(3, 8, 15)):
        super().__init__()
        self.net = torchvision.models.vgg16(weights="DEFAULT").features.eval()
        self.layers = set(layers)

    def forward(self, x):
        out = []
        for i, layer in enumerate(self.net):
            x = layer(x)
            if i in self.layers:
                out.append(x)
        return out
