# what the caller gives is called and lies on the GPU: it is a network, whatever its name

import torch


def validate(back, probe, loader):
    f = back.to("cuda")
    g = probe.cuda()
    hits = torch.zeros(())
    for x, y in loader:
        hits += (g(f(x.cuda())).argmax(1).cpu() == y).sum()  #! MEM201
    return hits.item()


class Server:
    def __init__(self, first, device):
        self.first = first.to(device)

    def test(self, test_loader):
        right = 0
        for x, y in test_loader:
            right += (self.first(x.cuda()).argmax(1).cpu() == y).sum().item()  #! MEM201
        return right
