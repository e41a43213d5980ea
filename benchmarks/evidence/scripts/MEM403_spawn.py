# claim: HOST, expected: confirmed (each worker is given a pickled copy of the array)
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Tiles(Dataset):
    def __init__(self):
        self.tiles = np.random.rand(20_000, 256).astype(np.float32)

    def __len__(self):
        return len(self.tiles)

    def __getitem__(self, index):
        return torch.from_numpy(self.tiles[index])


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(Tiles(), batch_size=256, num_workers=2, multiprocessing_context="spawn")
    model = nn.Linear(256, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for x in loader:
        optimizer.zero_grad()
        model(x.to(device)).pow(2).mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main()
