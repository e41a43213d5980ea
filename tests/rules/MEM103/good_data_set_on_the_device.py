# the data set is small and kept on the device on purpose

import glob

import numpy as np
import torch


class OnDevice(torch.utils.data.Dataset):
    def __init__(self, device):
        self.rows = []
        for path in glob.glob("*.npy"):
            self.rows.append(torch.from_numpy(np.load(path)).to(device))

    def __getitem__(self, i):
        return self.rows[i]

    def __len__(self):
        return len(self.rows)
