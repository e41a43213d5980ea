# a script for Python 3.14, whose workers start by forkserver

# /// script
# requires-python = ">=3.14"
# dependencies = ["torch", "pandas"]
# ///
import pandas as pd
import torch
from torch.utils.data import DataLoader, Dataset


class Clicks(Dataset):
    def __init__(self, path):
        self.table = pd.read_parquet(path)  #! MEM403 warning

    def __len__(self):
        return len(self.table)

    def __getitem__(self, i):
        return torch.tensor(self.table.iloc[i].to_numpy(dtype="float32"))


def batches(path):
    return DataLoader(Clicks(path), batch_size=256, shuffle=True, num_workers=4)


if __name__ == "__main__":
    net = torch.nn.LazyLinear(1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in batches("clicks.parquet"):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
