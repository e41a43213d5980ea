import torch


class Readers:
    """Readers of several columns, each a mapping from a key to an array."""

    def __init__(self, tables):
        self.loaders = {}
        for name, table in tables.items():
            loader = open_table(table)
            self.loaders[name] = loader
            if name == "text":
                loader = {k: v for k, v in loader.items() if v is not None}
                self.loaders[name] = loader

    def __getitem__(self, number):
        first = next(iter(self.loaders.values()))
        key = list(first)[number]
        return {name: torch.tensor(loader[key]) for name, loader in self.loaders.items()}

    def keys(self):
        first = next(iter(self.loaders.values()))
        return list(first)
