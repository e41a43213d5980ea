# the list is made by the caller; a list of tensors; paths are advice

from pathlib import Path

import pandas as pd
import torch
from torch.utils.data import ConcatDataset, DataLoader, Dataset


class Documents(Dataset):
    def __init__(self, documents):
        self.documents = documents  #! MEM402 warning

    def __len__(self):
        return len(self.documents)

    def __getitem__(self, i):
        return torch.tensor(len(self.documents[i]["body"]))


class Clips(Dataset):
    def __init__(self, root):
        self.clips = [torch.load(f) for f in sorted(Path(root).glob("*.pt"))]  #! MEM402 advice

    def __len__(self):
        return len(self.clips)

    def __getitem__(self, i):
        return self.clips[i].mean()


class Files(Dataset):
    def __init__(self, root):
        self.files = sorted(Path(root).glob("*.pt"))  #! MEM402 advice

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return torch.load(self.files[i]).mean()


def loop(net, opt, loader):
    for x in loader:
        opt.zero_grad()
        net(x[:, None].float()).mean().backward()
        opt.step()


frame = pd.read_csv("documents.csv")
both = ConcatDataset([Documents(frame.to_dict("records")), Clips("clips"), Files("clips")])
net = torch.nn.Linear(1, 1)
loop(net, torch.optim.SGD(net.parameters(), lr=0.1), DataLoader(both, 32, True, num_workers=2))
