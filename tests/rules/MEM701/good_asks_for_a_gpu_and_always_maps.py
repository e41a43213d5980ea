# the file asks for a GPU for its message alone, and has no other device

import torch


class Checkpointer:
    def __init__(self, path, **modules):
        self.path = path
        self.modules = modules

    def load(self):
        if torch.cuda.is_available():
            print("there is a GPU, which this does not use")
        state = torch.load(self.path)
        for name, module in self.modules.items():
            module.load_state_dict(state[name])
