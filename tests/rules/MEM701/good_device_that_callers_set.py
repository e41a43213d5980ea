# the device is None until a caller puts the network somewhere: it is the caller's choice

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.device = None

    def to(self, device=None):
        self.device = device
        super().to(device=device)
        return self

    def load_checkpoint(self, path):
        checkpoint = torch.load(path, map_location=self.device)
        self.load_state_dict(checkpoint["model_state_dict"])
        self.cuda()
