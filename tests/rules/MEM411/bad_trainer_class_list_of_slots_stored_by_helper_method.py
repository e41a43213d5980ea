# trainer class, list of slots, stored by a helper method

import cv2
import torch
from torch.utils.data import DataLoader, Dataset, Subset


class Frames(Dataset):
    def __init__(self, files):
        self.files = files
        self.images = [None] * len(files)

    def __len__(self):
        return len(self.files)

    def _image(self, k):
        image = self.images[k]
        if image is None:
            image = cv2.imread(self.files[k])
            self.images[k] = image  #! MEM411 warning
        return image

    def __getitem__(self, k):
        return torch.from_numpy(self._image(k)).permute(2, 0, 1)


class Trainer:
    def __init__(self, files, workers=4):
        self.loader = DataLoader(Subset(Frames(files), range(100)), batch_size=4, num_workers=workers)
        self.net = torch.nn.LazyConv2d(1, 3)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def run(self):
        for x in self.loader:
            self.opt.zero_grad()
            self.net(x.float()).mean().backward()
            self.opt.step()


Trainer([f"{i}.png" for i in range(100)]).run()
