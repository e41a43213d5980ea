import os

import torch
from torch.utils.data import DataLoader, Dataset, default_collate


class Tok(Dataset):
    def __init__(self, ds, tok):
        self.ds, self.tok = ds, tok
        self.cuda = torch.cuda.is_available()

    def __len__(self):
        return len(self.ds)

    def __getitem__(self, i):
        return self.tok(self.ds[i]["text"], return_tensors="pt")["input_ids"][0]


class ToDevice:
    """Used by the training loop, not by the loader."""

    def __init__(self, device):
        self.device = device

    def __call__(self, batch):
        return {k: v.to(self.device) for k, v in batch.items()}


def wrap(loader, device):
    for b in loader:
        yield b.to(device, non_blocking=True)


def collate(items):
    return default_collate(items)


def run(ds, tok, model):
    dl = DataLoader(Tok(ds, tok), 16, collate_fn=lambda b: torch.nn.utils.rnn.pad_sequence(b, True), num_workers=4, pin_memory=True)
    move = ToDevice("cuda")
    model.cuda()
    for b in wrap(dl, "cuda"):
        out = model(b)
        print(out.shape, move)


class VisdomDs(Dataset):
    def __init__(self, paths, device="cpu"):
        self.paths, self.device = paths, torch.device(device)

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        return torch.load(self.paths[i], map_location=self.device)


if __name__ == "__main__":
    for b in DataLoader(VisdomDs(["a.pt"]), num_workers=os.cpu_count()):
        print(b)
