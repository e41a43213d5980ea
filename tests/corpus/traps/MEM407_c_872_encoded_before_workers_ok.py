import torch
from torch.utils.data import DataLoader, Dataset


class Prep(Dataset):
    """Encodes everything once, before the workers start, and keeps it on the CPU."""

    def __init__(self, items, encoder):
        encoder = encoder.cuda().eval()
        with torch.no_grad():
            self.feats = torch.stack([encoder(x.cuda()[None])[0].cpu() for x, _ in items])
        self.y = torch.tensor([y for _, y in items])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.feats[i], self.y[i]

    def collate(self, batch):
        x, y = zip(*batch)
        return torch.stack(x), torch.stack(y)


class ToDevice:
    def __init__(self, loader, device):
        self.loader, self.device = loader, device

    def __iter__(self):
        for x, y in self.loader:
            yield x.to(self.device, non_blocking=True), y.to(self.device, non_blocking=True)


def main(items, enc, head, bs):
    ds = Prep(items, enc)
    dl = ToDevice(DataLoader(ds, bs, shuffle=True, num_workers=2, collate_fn=ds.collate, pin_memory=True, persistent_workers=True), "cuda")
    head.cuda()
    opt = torch.optim.SGD(head.parameters(), 0.1)
    for _ in range(3):
        for x, y in dl:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(head(x), y).backward()
            opt.step()
