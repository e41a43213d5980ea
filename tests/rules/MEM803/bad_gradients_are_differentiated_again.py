# a penalty differentiates the gradient of attention: fused kernels have no second derivative

import torch


def attend(q, k, v):
    scores = q @ k.transpose(-2, -1)  #! MEM803 advice
    return scores.softmax(-1) @ v


def penalty(q, k, v):
    (slope,) = torch.autograd.grad(attend(q, k, v).sum(), q, create_graph=True)
    return slope.pow(2).sum()
