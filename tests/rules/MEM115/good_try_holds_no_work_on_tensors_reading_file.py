# the try holds no work on tensors: reading a file is repeated

import torch

net = torch.nn.Linear(8, 8)


def read(path):
    return torch.load(path)


for path in ("a.pt", "b.pt"):
    try:
        x = read(path)
    except RuntimeError as e:
        print("out of memory?", e)
        x = read(path)
    net(x).sum().backward()
