# trainer class, encoder kept on the GPU by the data set

import torch
import torchvision
from torch.utils import data


class Embedded(data.Dataset):
    def __init__(self, images):
        self.images = images
        self.encoder = torchvision.models.resnet18().cuda().eval()

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        with torch.no_grad():
            return self.encoder(self.images[index][None])[0]  #! MEM407 error


class Trainer:
    def __init__(self, images, workers=6):
        self.loader = data.DataLoader(Embedded(images), batch_size=32, num_workers=workers)
        self.head = torch.nn.Linear(1000, 2).cuda()
        self.opt = torch.optim.Adam(self.head.parameters())

    def fit(self):
        for z in self.loader:
            self.opt.zero_grad()
            self.head(z).logsumexp(1).mean().backward()
            self.opt.step()


Trainer(torch.randn(64, 3, 224, 224)).fit()
