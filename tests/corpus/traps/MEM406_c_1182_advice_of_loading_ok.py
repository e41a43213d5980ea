"""What only advice says: loaders per epoch, unpinned copies, fixed batch size."""
import torch
from torch.utils.data import DataLoader, Dataset


class Patches(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return torch.randn(3, 64, 64), i % 10


def epoch_of(net, opt, ds):
    loader = DataLoader(ds, batch_size=64, shuffle=True, num_workers=4)
    for x, y in loader:
        x = x.cuda()
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y.cuda()).backward()
        opt.step()


def main():
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(12288, 10)).cuda()
    opt = torch.optim.Adam(net.parameters())
    ds = Patches(10000)
    for _ in range(20):
        epoch_of(net, opt, ds)


if __name__ == "__main__":
    main()
