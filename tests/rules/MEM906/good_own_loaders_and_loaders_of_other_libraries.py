# own loaders and loaders of other libraries with these arguments

import torch
from torchdata.stateful_dataloader import StatefulDataLoader


class DataLoader:
    def __init__(self, data, shuffle=False, sampler=None, pin_memory_device="", prefetch_factor=2):
        self.data = data


DataLoader([torch.zeros(1)], shuffle=True, sampler=[0], pin_memory_device="cuda", prefetch_factor=4)
StatefulDataLoader([1], num_workers=2, pin_memory_device="cuda")
