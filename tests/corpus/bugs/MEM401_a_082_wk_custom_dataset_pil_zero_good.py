import os
import random

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset


class PairDataset(Dataset):
    def __init__(self, root, size=256):
        self.lr = sorted(os.path.join(root, "low", f) for f in os.listdir(os.path.join(root, "low")))
        self.hr = sorted(os.path.join(root, "high", f) for f in os.listdir(os.path.join(root, "high")))
        self.size = size

    def __len__(self):
        return len(self.lr)

    def __getitem__(self, i):
        a, b = Image.open(self.lr[i]).convert("RGB"), Image.open(self.hr[i]).convert("RGB")
        x, y = random.randint(0, a.width - self.size), random.randint(0, a.height - self.size)
        box = (x, y, x + self.size, y + self.size)
        to = lambda im: torch.from_numpy(np.asarray(im.crop(box)).copy()).permute(2, 0, 1).float() / 255
        return to(a), to(b)


def train(model, root, epochs=100):
    loader = DataLoader(PairDataset(root), batch_size=16, shuffle=True, num_workers=4)
    opt = torch.optim.Adam(model.parameters(), lr=1e-4)
    for epoch in range(epochs):
        for low, high in loader:
            loss = (model(low.cuda()) - high.cuda()).abs().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    from net import Enhance
    train(Enhance().cuda(), "LOL")
