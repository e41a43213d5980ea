# a pickled loss has no weights to speak of

import torch


class Trainer:
    def __init__(self, net, criterion, device):
        self.net, self.criterion, self.device = net.to(device), criterion, device

    def to(self, device):
        self.net.to(device)
        self.criterion.to(device)

    def save(self, path):
        torch.save(self.criterion, f"{path}/loss.pkl")

    def load(self, path):
        self.criterion = torch.load(f"{path}/loss.pkl")
        self.net.load_state_dict(torch.load(f"{path}/net.pt", map_location="cpu"))
