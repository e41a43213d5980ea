# callers in other files choose the device

import torch
from model import Net


class Predictor:
    def __init__(self, path, device="cpu"):
        self.device = torch.device(device)
        self.net = Net()
        self.net.load_state_dict(torch.load(path))  #! MEM701
        self.net.to(self.device).eval()
