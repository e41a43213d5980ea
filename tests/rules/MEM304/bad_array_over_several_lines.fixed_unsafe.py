# the new code of an array that is written over several lines is indented as the old one

import numpy as np
import torch


class Batcher:
    def augment(self, y):
        y = y.cuda()
        if self.training:
            gain = torch.from_numpy(
                np.random.uniform(
                    -1,
                    1,
                    size=[64, 1, 1000],
                )
            ).float().to(y.device)
            return y * gain
        return y
