import functools
import torch
import torch.utils.data as tud
from mydata import ImageTextDataset
from mydata.loading import DataLoader

make_loader = functools.partial(tud.DataLoader, num_workers=8, pin_memory=True)


class BatchLoader:
    def __init__(self, ds, batch_size):
        self.ds, self.batch_size = ds, batch_size

    def __iter__(self):
        for i in range(0, len(self.ds), self.batch_size):
            yield self.ds[i:i + self.batch_size]


def train(model, root):
    opt = torch.optim.Adam(model.parameters())
    for loader in (DataLoader(ImageTextDataset(root), batch_size=8), make_loader(ImageTextDataset(root), 8),
                   BatchLoader(ImageTextDataset(root), 8)):
        for x, y in loader:
            loss = (model(x) - y).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
