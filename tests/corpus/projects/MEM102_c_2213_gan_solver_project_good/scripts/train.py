import torch
from torch.utils.data import DataLoader

from gan import Solver

if __name__ == "__main__":
    Solver(DataLoader(torch.load("celeba.pt"), 64, shuffle=True, drop_last=True)).run(100)
