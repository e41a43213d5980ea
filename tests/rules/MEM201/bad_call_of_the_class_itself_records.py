# the class says itself what a call of it does, and that is not under no_grad

import torch
from torch import nn
from torch.utils.data import DataLoader


class Codec(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.model = nn.Linear(width, width)

    def __call__(self, speech):
        return torch.relu(self.model(speech))


def encode_all(dataset):
    codec = Codec()
    codec.eval()
    results = []
    for keys, batch in DataLoader(dataset, batch_size=4):
        results.append((keys, codec(batch).detach().cpu().numpy()))  #! MEM201
    return results
