# slots compete for positions: the softmax is over the slots

import torch


def slots(q, k, v):
    att = torch.softmax(q @ k.transpose(-2, -1), dim=1)
    return att @ v
