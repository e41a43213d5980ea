import json
import torch
from torch.utils.data import Dataset


class Captions(Dataset):
    def __init__(self, path):
        self.anns = json.load(open(path))["annotations"]  #= MEM402

    def __len__(self):
        return len(self.anns)

    def __getitem__(self, i):
        return torch.tensor(self.anns[i]["tokens"])
