import torch
from loaders import build

for x in build("d.pt"):
    print(x)
