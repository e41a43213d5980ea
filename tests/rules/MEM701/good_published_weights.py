# The name of the file ends in a hash: published weights, which were written on the CPU.

import torch
import torchvision


def features(path="vgg16-397923af.pth"):
    network = torchvision.models.vgg16()
    network.load_state_dict(torch.load(path))
    return network.features.cuda()


class Loss:
    def __init__(self, folder):
        self.network = torchvision.models.vgg19().cuda()
        self.network.load_state_dict(torch.load(f"{folder}/vgg19-dcbb9e9d.pth"))
