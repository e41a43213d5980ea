# the file maps a checkpoint to the CPU where there is no GPU, and else to what callers say

import torch


class Checkpointer:
    def __init__(self, path, **modules):
        self.path = path
        self.modules = modules

    def load(self, device=None):
        if not torch.cuda.is_available():
            device = torch.device("cpu")
        state = torch.load(self.path, map_location=device)
        for name, module in self.modules.items():
            module.load_state_dict(state[name])
