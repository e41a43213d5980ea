# items are moved one by one, flat script with workers

import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i].cuda(), self.y[i]  #! MEM407 error


loader = DataLoader(Rows(torch.randn(100, 4), torch.randn(100)), batch_size=10, num_workers=4)
net = torch.nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    (net(x)[:, 0] - y.cuda()).abs().mean().backward()
    opt.step()
