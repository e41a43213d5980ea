# items are made on the GPU: a forked worker could not make them

import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import functional


class Pictures(Dataset):
    def __len__(self):
        return 100

    def __getitem__(self, i):
        return torch.as_tensor(functional.pil_to_tensor(Image.open(f"{i}.png")))


torch.set_default_device("cuda")
net = torch.nn.Linear(9, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(Pictures(), batch_size=4):
    opt.zero_grad()
    net(x).mean().backward()
    opt.step()
