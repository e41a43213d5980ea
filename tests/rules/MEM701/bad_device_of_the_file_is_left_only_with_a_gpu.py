# the file speaks of GPUs only where it maps a checkpoint without one

import os

import torch


class Checkpointer:
    def __init__(self, folder, **modules):
        self.folder = folder
        self.modules = modules

    def load(self, step):
        map_location = None
        if not torch.cuda.is_available():
            map_location = torch.device("cpu")
        state = torch.load(os.path.join(self.folder, f"{step}.pt"), map_location=map_location)  #! MEM701 advice
        for name, module in self.modules.items():
            module.load_state_dict(state[name])
        return state["step"]
