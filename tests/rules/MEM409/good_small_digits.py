# 40 workers of a data set of digits: many, but a few MiB.

from torch.utils.data import DataLoader
from torchvision import transforms
from torchvision.datasets import MNIST

data = MNIST("data", transform=transforms.ToTensor())
loader = DataLoader(data, batch_size=256, num_workers=40)
