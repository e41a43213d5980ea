# pinned memory is host memory

import torch
from torch.utils.data import DataLoader


class Batch:
    def __init__(self, rows):
        self.x = torch.stack(rows)

    def pin_memory(self):
        self.x = self.x.pin_memory()
        return self


loader = DataLoader(torch.randn(64, 4), batch_size=8, num_workers=2, collate_fn=Batch, pin_memory=True)
net = torch.nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in loader:
    opt.zero_grad()
    net(batch.x.cuda(non_blocking=True)).mean().backward()
    opt.step()
