# the limit comes from the caller of the module: it is not known, so this may be meant

from functools import lru_cache

import config
from torch import nn


class Rotary(nn.Module):
    @lru_cache(maxsize=config.ENTRIES)  #! MEM129 advice
    def angles(self, length):
        return self.table[:length]
