# an array in float64 of which a mask or float32 is made on the host

import numpy as np
import torch


class Mask:
    def __init__(self, size, device):
        self.size, self.device = size, device

    def others(self):
        mask = torch.from_numpy(np.eye(self.size))
        mask = (1 - mask).type(torch.bool)
        return mask.to(self.device)

    def same(self):
        mask = torch.from_numpy(np.eye(self.size))
        mask = mask > 0.5
        return mask.cuda()

    def weights(self):
        weights = torch.from_numpy(np.eye(self.size))
        weights = (1 - weights / self.size).float()
        return weights.to(self.device)
