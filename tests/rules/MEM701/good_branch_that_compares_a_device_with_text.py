# A torch.device is equal to no string: the branch that leaves the place to the file never runs.

import torch


class Model:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network = torch.nn.Linear(8, 1).to(self.device)

    def load(self, path):
        if self.device == "cuda":
            state = torch.load(path)
        else:
            state = torch.load(path, map_location=torch.device("cpu"))
        self.network.load_state_dict(state)

    def load_again(self, path):
        if self.device != "cuda":
            state = torch.load(path, map_location="cpu")
        else:
            state = torch.load(path)
        self.network.load_state_dict(state)
