# features go into a list that the caller gets, or that a loss goes through

import torch


def features(loader, resnet):
    found = []
    for images in loader:
        found.append(resnet(images.cuda()))
    return torch.cat(found)


def fit(loader, resnet, optimizer):
    rows = []
    for images in loader:
        rows.append(resnet(images.cuda()))
    optimizer.zero_grad()
    torch.cat(rows).pow(2).mean().backward()
    optimizer.step()
