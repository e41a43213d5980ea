import argparse

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Traj(Dataset):
    def __init__(self, path, device):
        self.states = np.load(path)
        self.device = device

    def __len__(self):
        return len(self.states)

    def __getitem__(self, i):
        return torch.tensor(self.states[i]).to(self.device)  #! MEM407


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--cuda", action="store_true")
    args = ap.parse_args()
    device = torch.device("cuda" if args.cuda and torch.cuda.is_available() else "cpu")
    dl = DataLoader(Traj("s.npy", device), batch_size=32, num_workers=4)
    for s in dl:
        print(s.mean())


if __name__ == "__main__":
    main()
