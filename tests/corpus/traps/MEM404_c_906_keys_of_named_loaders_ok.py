"""What is called a loader is a mapping here: `list(d)` are its keys."""

import torch


class Dataset(torch.utils.data.Dataset):
    def __init__(self, parts):
        self.loaders = {}
        for name, path in parts:
            loader = self.open_part(path)
            self.loaders[name] = loader

    def open_part(self, path):
        return torch.load(path, map_location="cpu")

    def __getitem__(self, uid):
        if isinstance(uid, int):
            d = next(iter(self.loaders.values()))
            uid = list(d)[uid]
        return uid, {name: loader[uid] for name, loader in self.loaders.items()}
