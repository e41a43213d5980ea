# claim: TIME, expected: confirmed (each item is decoded in the training process, and the step waits)
import os
import tempfile

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        values = np.load(self.paths[index % len(self.paths)])
        return torch.from_numpy(np.sort(values)[:256].copy())


if __name__ == "__main__":
    torch.manual_seed(0)
    torch.set_num_threads(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    folder = tempfile.mkdtemp()
    paths = [os.path.join(folder, f"{number}.npz") for number in range(8)]
    for path in paths:
        with open(path, "wb") as file:
            np.save(file, np.random.default_rng(0).standard_normal(200_000).astype("float32"))
    loader = DataLoader(Files(paths * 200), batch_size=4, shuffle=True)
    net = nn.Linear(256, 10).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(2):
        for x in loader:
            loss = net(x.to(device)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
