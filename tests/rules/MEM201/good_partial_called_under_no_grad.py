# What partial has bound comes before the arguments of the call under no_grad

import functools

import torch


def hits(net, metric, batches):
    net.eval()
    found = 0
    for images, labels in batches:
        found += metric(net(images.cuda()), labels.cuda()).item()
    return found


def agree(scores, labels):
    return (scores.argmax(1) == labels).sum()


def report(net, loaders):
    count = functools.partial(hits, net.cuda(), agree)
    with torch.no_grad():
        for name, batches in loaders.items():
            print(name, count(batches))
