# claim: HOST, expected: confirmed (each of two workers prepares forty batches ahead)
import os
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

SIDE = int(os.environ.get("SIDE", "128"))


class Pictures(Dataset):
    def __len__(self):
        return 4000

    def __getitem__(self, index):
        return torch.zeros(3, SIDE, SIDE)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Conv2d(3, 4, 3).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for x in DataLoader(Pictures(), batch_size=32, num_workers=2, prefetch_factor=40):
        optimizer.zero_grad()
        model(x.to(device)).mean().backward()
        optimizer.step()
        time.sleep(0.1)


if __name__ == "__main__":
    main()
