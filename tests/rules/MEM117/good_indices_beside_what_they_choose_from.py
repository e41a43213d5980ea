# the indices that chose from the features are a few whole numbers beside them

import kernels
import torch


class Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx, features, indices):
        _, channels, n = features.size()
        ctx.for_backward = (indices, channels, n)
        return kernels.gather(features, indices)

    @staticmethod
    def backward(ctx, grad):
        indices, channels, n = ctx.for_backward
        return kernels.scatter(grad, indices, channels, n), None


class Pick(torch.autograd.Function):
    @staticmethod
    def forward(ctx, features, row_idx):
        n_rows, width = features.size()
        ctx.chosen = row_idx, n_rows
        return features[row_idx]

    @staticmethod
    def backward(ctx, grad):
        row_idx, n_rows = ctx.chosen
        return grad.new_zeros(n_rows, grad.size(1)).index_add_(0, row_idx, grad), None


def train(features, indices, optimizer):
    for _ in range(100):
        optimizer.zero_grad()
        (Gather.apply(features, indices).sum() + Pick.apply(features, indices).sum()).backward()
        optimizer.step()
