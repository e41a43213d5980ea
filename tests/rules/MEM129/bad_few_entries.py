# two entries: the last two networks stay, no more

from functools import lru_cache

from torch import nn


class Grid(nn.Module):
    @lru_cache(maxsize=2)  #! MEM129 advice
    def boxes(self, height, width):
        return self.anchors.new_zeros(height, width, 4)
