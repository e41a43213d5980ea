"""Transforms for pictures in the manner of torchvision: those with settings are modules."""

import torch
from torch import nn


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, image):
        for transform in self.transforms:
            image = transform(image)
        return image


class ToTensor:
    def __call__(self, image):
        return image.to(torch.float32).div(255).unsqueeze(0)


class Normalize(nn.Module):
    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean = mean
        self.std = std
        self.inplace = inplace

    def forward(self, tensor):
        mean = torch.as_tensor(self.mean, dtype=tensor.dtype).view(-1, 1, 1)
        std = torch.as_tensor(self.std, dtype=tensor.dtype).view(-1, 1, 1)
        return (tensor if self.inplace else tensor.clone()).sub_(mean).div_(std)


class RandomErasing(nn.Module):
    def __init__(self, p=0.5, size=6):
        super().__init__()
        self.p = p
        self.size = size

    def forward(self, image):
        if torch.rand(1) >= self.p:
            return image
        top = int(torch.randint(0, image.shape[-2] - self.size, (1,)))
        left = int(torch.randint(0, image.shape[-1] - self.size, (1,)))
        image = image.clone()
        image[..., top : top + self.size, left : left + self.size] = 0
        return image
