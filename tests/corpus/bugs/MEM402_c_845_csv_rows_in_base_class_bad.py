"""Dataset base class with an index that is built by a helper; collate and worker_init."""
import csv
import os
import random
import torch
from torch.utils.data import DataLoader, Dataset
import torchvision


def read_rows(path):
    with open(path, newline="") as fh:
        reader = csv.DictReader(fh)
        return [row for row in reader]


class Base(Dataset):
    def __init__(self, table):
        self._rows = read_rows(table)  #! MEM402

    def __len__(self):
        return len(self._rows)


class Train(Base):
    def __getitem__(self, i):
        r = self._rows[i]
        img = torchvision.io.read_image(r["path"]).float()
        return img, int(r["y"])


def seed(worker):
    random.seed(worker)


if __name__ == "__main__":
    loader = DataLoader(Train("t.csv"), batch_size=int(os.getenv("BS", 16)), num_workers=8, worker_init_fn=seed, persistent_workers=True, pin_memory=True)
    net = torchvision.models.resnet18().cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x.cuda(non_blocking=True)), y.cuda(non_blocking=True)).backward()
        opt.step()
