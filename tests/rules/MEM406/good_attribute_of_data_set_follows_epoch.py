# an attribute of the data set follows the epoch

import torch
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    level = 0.0

    def __len__(self):
        return 300

    def __getitem__(self, i):
        return torch.ones(4) + self.level * torch.randn(4)


data = Noisy()
changing = DataLoader(data, 30, num_workers=2)
net = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(10):
    data.level = epoch / 10
    for x in changing:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
