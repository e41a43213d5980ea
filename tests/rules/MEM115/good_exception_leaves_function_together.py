# the exception leaves the function together with what it wraps

import torch

net = torch.nn.Linear(8, 8)


def run(x):
    try:
        return net(x)
    except RuntimeError as e:
        problem = e
        raise ValueError(f"out of memory for {tuple(x.shape)}") from problem


for x in torch.randn(5, 4, 8):
    run(x).sum().backward()
