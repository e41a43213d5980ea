import torch
from torch.utils.data import DataLoader

from datasets.tiles import TileSet
import settings


def run():
    ds = TileSet(settings.ROOT)
    loader = DataLoader(ds, batch_size=settings.BATCH, num_workers=settings.NUM_WORKERS)  #! MEM401
    net = torch.nn.Conv2d(3, 1, 3).to(settings.DEVICE)
    opt = torch.optim.Adam(net.parameters())
    for x, y in loader:
        opt.zero_grad()
        loss = (net(x.to(settings.DEVICE)) - y.to(settings.DEVICE)).pow(2).mean()
        loss.backward()
        opt.step()


if __name__ == "__main__":
    run()
