# one covariance for each part of a mixture: so many copies are a small matter

import torch


def log_density(x, means, tied, n_components):
    spread = tied.unsqueeze(0).repeat(n_components, 1, 1)
    return -(x - means).square().sum() * spread * 2
