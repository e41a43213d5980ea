# millions of strings that a comprehension over a range makes

import numpy as np
import torch
from torch.utils import data


class FeatureSet(data.Dataset):
    def __init__(self, n=8000000):
        super().__init__()
        self.n = n
        self.infoset = [str(i).zfill(1024) for i in range(n)]  #! MEM402 warning

    def __getitem__(self, index):
        info = self.infoset[index]
        return {"features": self.load_feature(info)}

    def load_feature(self, info):
        return torch.from_numpy(np.load(info))

    def __len__(self):
        return self.n


if __name__ == "__main__":
    loader = data.DataLoader(FeatureSet(), batch_size=1024, shuffle=True, num_workers=16, pin_memory=True)
    for epoch in range(10):
        for items in loader:
            feats = items["features"].cuda(non_blocking=True)
            print(feats.shape)
