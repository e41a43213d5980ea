"""lmdb reader that lists its keys and labels as Python objects; base class holds the list."""
import pickle

import lmdb
import torch
from torch.utils.data import DataLoader, Dataset


class Base(Dataset):
    def __init__(self, root):
        self.root, self.env = root, None
        with open(f"{root}/meta.pkl", "rb") as f:
            self.samples = pickle.load(f)  #! MEM402

    def __len__(self):
        return len(self.samples)


class Scenes(Base):
    def __getitem__(self, i):
        if self.env is None:
            self.env = lmdb.open(self.root, readonly=True, lock=False)
        meta = self.samples[i]
        with self.env.begin() as txn:
            return torch.frombuffer(bytearray(txn.get(meta["key"])), dtype=torch.uint8), meta["label"]


def get_loader(cfg):
    return DataLoader(Scenes(cfg["root"]), batch_size=cfg["bs"], num_workers=cfg.get("workers", 8), pin_memory=True)  #? MEM402


def train(cfg, net):
    loader = DataLoader(Scenes(cfg["root"]), batch_size=8, num_workers=8, pin_memory=True, persistent_workers=True)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x.float().cuda(non_blocking=True)), y.cuda(non_blocking=True)).backward()
        opt.step()
