import platform

import numpy as np
import pandas as pd
import torch
from torch import multiprocessing, nn
from torch.utils.data import DataLoader, Dataset, Subset


class EEG(Dataset):
    def __init__(self, csv, size=256):
        frame = pd.read_csv(csv)
        self.signal = frame.drop(columns=["label"]).to_numpy(dtype=np.float32)  #! MEM403
        self.label = torch.as_tensor(frame["label"].to_numpy())
        self.size = size

    def __len__(self):
        return len(self.signal) // self.size

    def __getitem__(self, i):
        piece = self.signal[i * self.size : (i + 1) * self.size]
        return torch.from_numpy(piece), self.label[i * self.size]


def loaders(csv):
    full = EEG(csv)
    cut = int(len(full) * 0.9)
    common = {
        "batch_size": 16,
        "num_workers": 3,
        "multiprocessing_context": multiprocessing.get_context("forkserver"),
    }
    return DataLoader(Subset(full, range(cut)), shuffle=True, **common), DataLoader(
        Subset(full, range(cut, len(full))), **common
    )


def run():
    print(platform.node())
    train, _ = loaders("eeg.csv")
    net = nn.LSTM(19, 32, batch_first=True)
    head = nn.Linear(32, 2)
    opt = torch.optim.Adam([*net.parameters(), *head.parameters()])
    for epoch in range(4):
        for x, y in train:
            out, _ = net(x)
            loss = nn.functional.cross_entropy(head(out[:, -1]), y)
            opt.zero_grad()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    run()
