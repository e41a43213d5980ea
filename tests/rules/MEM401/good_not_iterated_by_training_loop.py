# not iterated by a training loop

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder

loader = DataLoader(ImageFolder("train"), batch_size=4)
images, labels = next(iter(loader))
print(images.shape, labels)
