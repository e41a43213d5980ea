# the cached function is made in each call and dies with it

import functools

from torch import nn


class Rotary(nn.Module):
    def forward(self, x):
        @functools.lru_cache(maxsize=None)
        def angles(length):
            return x[:length]

        return angles(4) + angles(8)
