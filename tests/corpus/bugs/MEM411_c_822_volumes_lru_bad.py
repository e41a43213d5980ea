from functools import lru_cache
import nibabel as nib
import torch
from torch.utils.data import DataLoader, Dataset


class Volumes(Dataset):
    def __init__(self, index):
        self.index = index

    def __len__(self):
        return len(self.index)

    @lru_cache(maxsize=None)  #= MEM411
    def volume(self, path):
        return nib.load(path).get_fdata(dtype="float32")

    def __getitem__(self, i):
        path, z = self.index[i]
        return torch.from_numpy(self.volume(path)[..., z])  #! MEM411


class Learner:
    def __init__(self, index, net, workers=6):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())
        self.dl = DataLoader(Volumes(index), batch_size=4, shuffle=True, num_workers=6, persistent_workers=True)

    def fit(self):
        for e in range(50):
            for x in self.dl:
                self.opt.zero_grad()
                self.net(x).mean().backward()
                self.opt.step()
