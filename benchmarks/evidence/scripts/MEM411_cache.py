# claim: HOST, expected: confirmed (every worker fills a cache of its own)
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Signals(Dataset):
    def __init__(self, count):
        self.count = count
        self.cache = {}

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if index not in self.cache:
            generator = torch.Generator().manual_seed(index)
            self.cache[index] = torch.randn(4096, generator=generator)
        return self.cache[index]


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = Signals(20_000)
    loader = DataLoader(data, batch_size=64, shuffle=True, num_workers=2, persistent_workers=True)
    model = nn.Linear(4096, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for _ in range(2):
        for x in loader:
            optimizer.zero_grad()
            model(x.to(device)).pow(2).mean().backward()
            optimizer.step()


if __name__ == "__main__":
    main()
