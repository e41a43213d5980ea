# the handler answers another problem by another computation

import torch

net = torch.nn.Linear(8, 8)
plain = torch.nn.Linear(8, 8)
for x in torch.randn(5, 4, 8):
    try:
        out = torch.compile(net)(x)
    except ImportError:
        out = net(x)
    try:
        scores = net(out)
    except RuntimeError:
        scores = plain(out)
    scores.sum().backward()
