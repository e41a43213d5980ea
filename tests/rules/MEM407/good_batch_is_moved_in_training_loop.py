# the batch is moved in the training loop

import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i].to(torch.float32)


device = torch.device("cuda")
net = torch.nn.Linear(4, 1).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Rows(torch.randn(100, 4)), batch_size=10, num_workers=4, pin_memory=True):
    opt.zero_grad()
    net(x.to(device, non_blocking=True)).mean().backward()
    opt.step()
