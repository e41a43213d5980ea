# features are computed on the GPU before there is a loader, and stored on the CPU

import torch
import torchvision
from torch.utils.data import DataLoader, Dataset


class Features(Dataset):
    def __init__(self, images):
        backbone = torchvision.models.resnet18().cuda().eval()
        with torch.no_grad():
            self.z = torch.cat([backbone(x.cuda()).cpu() for x in images.split(16)])

    def __len__(self):
        return len(self.z)

    def __getitem__(self, i):
        return self.z[i]


head = torch.nn.Linear(1000, 2).cuda()
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for z in DataLoader(Features(torch.randn(64, 3, 64, 64)), batch_size=8, num_workers=2):
    opt.zero_grad()
    head(z.cuda()).mean().backward()
    opt.step()
