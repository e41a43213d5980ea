# a trainer resumes from a file with several entries

import torch
from torch import nn


class Trainer:
    def __init__(self, path):
        self.net = nn.Sequential(nn.Linear(20000, 20000), nn.ReLU(), nn.Linear(20000, 10))
        self.path = path

    def resume(self):
        checkpoint = torch.load(self.path, map_location="cpu")  #! MEM705 advice
        self.net.load_state_dict(checkpoint["net"])
        return checkpoint["epoch"]


Trainer("last.pt").resume()
