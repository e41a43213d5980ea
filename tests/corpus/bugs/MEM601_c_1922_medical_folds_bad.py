"""Five folds, best weights kept, DataParallel, view pinned to disk."""
import copy
import os

import nibabel as nib
import numpy as np
import torch
import torch.nn as nn
from sklearn.model_selection import KFold
from torch.utils.data import DataLoader, Dataset, Subset


class Scans(Dataset):
    def __init__(self, root):
        self.root = root
        self.names = sorted(os.listdir(root))

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        vol = nib.load(os.path.join(self.root, self.names[i])).get_fdata(dtype=np.float32)
        return torch.from_numpy(vol)[None], torch.tensor(float("pos" in self.names[i]))


def dice(p, t):
    return (2 * (p * t).sum() + 1) / (p.sum() + t.sum() + 1)


class Experiment:
    def __init__(self, root, epochs=50):
        self.ds, self.epochs = Scans(root), epochs
        self.histories = []

    def network(self):
        net = nn.Sequential(nn.Conv3d(1, 8, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(8, 1))
        return nn.DataParallel(net).cuda()  #! MEM601

    def fold(self, k, tr, va):
        net = self.network()
        opt = torch.optim.Adam(net.parameters())
        train = DataLoader(Subset(self.ds, tr), batch_size=2, shuffle=True)  #! MEM401
        val = DataLoader(Subset(self.ds, va), batch_size=2)  #? MEM401
        best, weights = 0.0, None
        for epoch in range(self.epochs):
            net.train()
            for x, y in train:
                opt.zero_grad()
                loss = nn.functional.binary_cross_entropy_with_logits(net(x.cuda()).squeeze(1), y.cuda())
                loss.backward()
                opt.step()
            score = self.validate(net, val)
            if score > best:
                best = score
                weights = copy.deepcopy(net.state_dict())  #! MEM704
        net.load_state_dict(weights)
        torch.save(weights, f"fold{k}.pt")
        self.histories.append(best)

    def validate(self, net, loader):
        net.eval()
        hits = n = 0
        with torch.no_grad():
            for x, y in loader:
                hits += ((net(x.cuda()).squeeze(1) > 0).cpu() == y.bool()).sum().item()
                n += len(y)
        return hits / n

    def run(self):
        for k, (tr, va) in enumerate(KFold(5, shuffle=True).split(np.arange(len(self.ds)))):
            self.fold(k, tr, va)
        print(np.mean(self.histories))


if __name__ == "__main__":
    Experiment("/data/scans").run()
