# each item is put on the GPU, which no worker could do

import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms.functional import to_tensor


class Pictures(Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        return to_tensor(Image.open(self.paths[i])).cuda()


net = torch.nn.LazyLinear(1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Pictures(["a.png", "b.png"]), batch_size=2):
    opt.zero_grad()
    net(x.flatten(1)).mean().backward()
    opt.step()
