# what is cached are names, beside a tensor that the object has, and most programs make one of it: advice

from functools import lru_cache

import torch


class Skeleton:
    def __init__(self, joints):
        self.joints = joints
        self.offsets = torch.zeros(len(joints), 3)

    @lru_cache  #! MEM129 advice
    def names(self, prefix):
        return [prefix + joint for joint in self.joints]

    @lru_cache  #! MEM129 warning
    def turned(self, angle):
        return self.offsets * angle
