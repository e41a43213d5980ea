# what comes with torchvision's weights to prepare pictures has no parameters

import torch
from torch.utils.data import Dataset
from torchvision import io
from torchvision.models import VGG16_Weights, get_weight, vgg16

weights = VGG16_Weights.DEFAULT
net = vgg16(weights=weights)


class Pictures(Dataset):
    def __init__(self, paths, prepare, device):
        self.pictures = []
        for path in paths:
            self.pictures.append(prepare(io.read_image(path)).to(device))

    def __getitem__(self, number):
        return self.pictures[number]


def small(paths, device):
    prepare, kept = get_weight("ResNet50_Weights.DEFAULT").transforms(), []
    for path in paths:
        kept.append(prepare(io.read_image(path)).to(device))
    return kept


shown = Pictures(["a.png"], weights.transforms(), torch.device("cuda"))
