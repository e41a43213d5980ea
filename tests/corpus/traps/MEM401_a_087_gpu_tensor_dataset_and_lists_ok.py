import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset, TensorDataset, random_split


class OnDevice(Dataset):
    """Everything already on the GPU; workers could not touch it."""

    def __init__(self, x, y):
        self.x, self.y = x.cuda(), y.cuda()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def main(x, y):
    full = TensorDataset(x, y)
    tr, va = random_split(full, [0.9, 0.1])
    loaders = [DataLoader(OnDevice(x, y), 256, shuffle=True), DataLoader(tr, 64, shuffle=True),
               DataLoader(va, 64), DataLoader(Subset(full, range(100)), 10), DataLoader(list(zip(x, y)), 32)]
    model = nn.Linear(x.shape[1], 2)
    opt = torch.optim.SGD(model.parameters(), 0.1)
    for dl in loaders:
        for a, b in dl:
            loss = nn.functional.cross_entropy(model(a.cpu()), b.cpu())
            opt.zero_grad()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    main(torch.randn(1000, 20), torch.randint(0, 2, (1000,)))
