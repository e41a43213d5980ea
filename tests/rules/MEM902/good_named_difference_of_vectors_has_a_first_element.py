# a name for a difference of vectors, of a mean and a weight out of view, or for a sum that grows

import torch


def train(critic, made, loader, weight):
    total = 0
    for x in loader:
        gap = critic(x.cuda()) - critic(made())
        total = total + gap
        scaled = torch.mean(gap) * weight
        rows = torch.sum(gap, 1) - torch.mean(x)
        print(gap.data[0], total.data[0], scaled.data[0], rows.data[0])
