# the class of a parameter says that it holds the options of a run: its device may be any

import torch

from settings import TrainingSettings


class Trainer:
    def __init__(self, model: torch.nn.Module, given: TrainingSettings):
        self._given = given
        self._device = torch.device(self._given.device)
        self.model = model.to(self._device)

    def resume(self, path):
        checkpoint = torch.load(path)  #! MEM701 warning
        self.model.load_state_dict(checkpoint["model"])
        return checkpoint["epoch"]
