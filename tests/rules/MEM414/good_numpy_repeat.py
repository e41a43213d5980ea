# `repeat` of NumPy takes the number and the axis.

import numpy as np
import torch


def grid(model, xs, n):
    points = np.asarray(xs)
    return model(torch.from_numpy(points[:, None].repeat(n, 1) - points[None, :].repeat(n, 0)))
