# no workers: item by item, and a whole batch at a time

import torch
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.dataloader import default_collate


class Frames(Dataset):
    def __init__(self, frames):
        self.frames = frames

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, i):
        return self.frames[i].cuda()  #! MEM407 warning


frames = torch.randn(100, 3, 8, 8)
by_item = DataLoader(Frames(frames), batch_size=10)
by_batch = DataLoader(
    frames,
    batch_size=10,
    num_workers=0,
    collate_fn=lambda batch: default_collate(batch).to("cuda"),  #! MEM407 advice
)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(192, 1)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, z in zip(by_item, by_batch):
    opt.zero_grad()
    (net(x) - net(z)).square().mean().backward()
    opt.step()
