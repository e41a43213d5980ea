import torch
from torch.utils.data import DataLoader


def peek(loader, net, opt):
    for epoch in range(3):
        first = True
        for x in loader:
            if first:
                ref = next(iter(loader))
                first = False
            opt.zero_grad(); net(x).sum().backward(); opt.step()
    it = iter(loader)
    while True:
        try:
            x = next(it)
        except StopIteration:
            it = iter(loader)
            continue
        opt.zero_grad(); net(x).sum().backward(); opt.step()


def main(ds, net):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    peek(DataLoader(ds, batch_size=4, shuffle=True, num_workers=2, persistent_workers=True), net, opt)
