import torch
from torch.utils.data import DataLoader, TensorDataset
from cfg import Cfg, cfg, WORKERS
from ds import make_arrays, TextSet, LmdbSet


def main():
    x, y = make_arrays()
    a = DataLoader(TensorDataset(x, y), batch_size=Cfg.BATCH)
    b = DataLoader(TextSet(), batch_size=8, num_workers=Cfg.WORKERS)
    c = DataLoader(TextSet(), batch_size=8, num_workers=cfg["workers"])
    d = DataLoader(LmdbSet("p"), batch_size=8)
    e = DataLoader(TextSet(), batch_size=8, num_workers=WORKERS)
    net = torch.nn.Linear(4, 1).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for dl in (a, b, c, d, e):
        for x, y in dl:
            opt.zero_grad()
            net(x.cuda()).mean().backward()
            opt.step()


if __name__ == "__main__":
    main()
