# each sample is a mixture of a few centres: the map has a row for each sample

import torch


def mixture(x, centres):
    share = torch.softmax(x @ centres.t(), dim=-1)
    return share @ centres
