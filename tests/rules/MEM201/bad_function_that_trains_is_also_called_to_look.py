# a function that training calls as well is told at the call that only looks: no_grad in it would end the training

import torch
from torch import nn

body, head = nn.Sequential(nn.Linear(64, 256), nn.ReLU()), nn.Linear(256, 4)
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)


def run(x):
    features = body(x)
    return features, head(features)


def spread():
    found = []
    for _ in range(20):
        found.append(run(torch.randn(512, 64))[1])  #! MEM201 warning
    return torch.cat(found).std().item()


for _ in range(1000):
    optimizer.zero_grad()
    _, logits = run(torch.randn(8, 64))
    logits.mean().backward()
    optimizer.step()
    print(spread())
