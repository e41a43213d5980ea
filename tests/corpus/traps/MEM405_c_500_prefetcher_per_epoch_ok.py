import torch
from torch.utils.data import DataLoader


class Prefetcher:
    def __init__(self, loader):
        self.batches = iter(loader)
        self.stream = torch.cuda.Stream()
        self.preload()

    def preload(self):
        try:
            self.x, self.y = next(self.batches)
        except StopIteration:
            self.x = None
            return
        with torch.cuda.stream(self.stream):
            self.x = self.x.cuda(non_blocking=True)
            self.y = self.y.cuda(non_blocking=True)

    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        x, y = self.x, self.y
        self.preload()
        return x, y


def train(model, criterion, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=256, shuffle=True, num_workers=8, pin_memory=True)
    for epoch in range(90):
        prefetcher = Prefetcher(loader)
        x, y = prefetcher.next()
        while x is not None:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            x, y = prefetcher.next()
