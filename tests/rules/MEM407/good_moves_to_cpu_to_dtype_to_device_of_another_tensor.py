# moves to the CPU, to a dtype, to the device of another tensor

import torch
from torch.utils.data import DataLoader, Dataset


class Mixed(Dataset):
    def __init__(self, x, device="cpu"):
        self.x, self.device = x, device
        self.mean = x.mean(0)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        row = self.x[i].to("cpu").to(torch.float64).to(self.device)
        return row - self.mean.to(row.device) + torch.zeros(4, device=row.device)


net = torch.nn.Linear(4, 1).double()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Mixed(torch.randn(100, 4)), batch_size=10, num_workers=2):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
