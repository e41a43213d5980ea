# the only caller makes the partial, and calls it, under no_grad

import functools

import torch


def embed(net, pictures):
    net.eval()
    total = 0.0
    for picture in pictures:
        total += net(picture.cuda()).mean().item()
    return total


class Manager:
    def __init__(self, net, config):
        self.net, self.config = net, config

    @torch.no_grad()
    def encode(self, pictures):
        self.config.fn = functools.partial(embed, self.net)
        return self.config.fn(pictures)
