# a wrapper around the loader moves batches in the main process

import torch
from torch.utils.data import DataLoader


class DeviceLoader:
    def __init__(self, loader, device):
        self.loader, self.device = loader, device

    def __iter__(self):
        for batch in self.loader:
            yield batch.to(self.device)


net = torch.nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DeviceLoader(DataLoader(torch.randn(64, 4), batch_size=8, num_workers=2), "cuda"):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
