"""A context object for the workers, frames of a video as arrays in a list."""
import multiprocessing

import imageio
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

CTX = multiprocessing.get_context("forkserver")


class Video(Dataset):
    def __init__(self, path):
        self.frames = [np.asarray(f) for f in imageio.get_reader(path)]  #! MEM403

    def __len__(self):
        return len(self.frames) - 4

    def __getitem__(self, i):
        return torch.from_numpy(np.stack(self.frames[i:i + 4]))


class Learner:
    def __init__(self, path, net):
        self.net, self.opt = net.cuda(), torch.optim.SGD(net.parameters(), 0.1)
        self.loader = DataLoader(Video(path), 4, num_workers=3, multiprocessing_context=CTX, pin_memory=True)  #? MEM403

    def run(self):
        for x in self.loader:
            self.opt.zero_grad()
            self.net(x.cuda(non_blocking=True).float()).mean().backward()
            self.opt.step()
