# a class that is a cache of what a loader gives

from torch.utils.data import DataLoader


class LoaderCache:
    def __init__(self, data):
        self.data_loader = DataLoader(data, batch_size=8)
        self.cache = []

    def fill(self):
        if not self.cache:
            self.cache = list(self.data_loader)
        return self.cache[0]
