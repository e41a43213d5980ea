# `json` is an object of this file, whose `load` gives one array

import numpy as np
import torch


class Reader:
    def load(self, path):
        return {"annotations": np.load(path)}


json = Reader()


class Boxes(torch.utils.data.Dataset):
    def __init__(self, path):
        self.rows = json.load(path)["annotations"]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return torch.from_numpy(self.rows[index])


loader = torch.utils.data.DataLoader(Boxes("train.npy"), batch_size=32, num_workers=8)
