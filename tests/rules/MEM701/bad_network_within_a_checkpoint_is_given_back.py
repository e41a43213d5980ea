# a network in a checkpoint is called where it was put, unless it is moved afterwards

import torch


class Trainer:
    def __init__(self, model):
        self.model = model.cuda()

    def save(self, path):
        torch.save({"model": self.model, "state": self.model.state_dict()}, path)

    def load(self, path):
        checkpoint = torch.load(path)  #! MEM701 warning
        model = checkpoint["model"]
        model.load_state_dict(checkpoint["state"], strict=False)
        return model
