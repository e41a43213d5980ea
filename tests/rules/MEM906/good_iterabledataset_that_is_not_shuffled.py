# an IterableDataset that is not shuffled, and other keywords of zero_grad

import torch
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        yield torch.zeros(4)


class Own(torch.utils.data.Dataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return torch.zeros(4)


net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Stream(), batch_size=2, shuffle=False):
    opt.zero_grad(set_to_none=False)
    net(x).sum().backward()
    opt.step()
for x in DataLoader(Own(), shuffle=True):
    opt.zero_grad()
    net(x).sum().backward()
    opt.step()
