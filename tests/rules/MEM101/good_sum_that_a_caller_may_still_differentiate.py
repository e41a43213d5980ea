# no backward of the loop frees the graph that the callers get

import torch


def detached_features(encoder, head, critic, loader):
    total = 0
    for x in loader:
        features = encoder(x.cuda())
        head(features.detach()).mean().backward()
        total = total + critic(features).mean()
    return total


def graph_stays(encoder, head, critic, loader):
    total = 0
    for x in loader:
        features = encoder(x.cuda())
        head(features).mean().backward(retain_graph=True)
        total = total + critic(features).mean()
    return total


def two_passes(encoder, head, critic, loader):
    total = 0
    for x in loader:
        head(encoder(x.cuda())).mean().backward()
        total = total + critic(encoder(x.cuda())).mean()
    return total
