import itertools
import torch
import torch.nn.functional as F


class AdaptTrainer:
    def __init__(self, net, src_loader, tgt_loader, opt):
        self.net, self.opt = net, opt
        self.src, self.tgt = src_loader, tgt_loader

    def train(self, steps):
        src, tgt = itertools.cycle(self.src), itertools.cycle(self.tgt)  #! MEM404 #! MEM404
        for step in range(steps):
            (xs, ys), (xt, _) = next(src), next(tgt)
            self.opt.zero_grad()
            fs, ft = self.net(xs), self.net(xt)
            loss = F.cross_entropy(fs, ys) + (fs.mean(0) - ft.mean(0)).pow(2).sum()
            loss.backward()
            self.opt.step()


def build(a, b):
    la = torch.utils.data.DataLoader(a, 32, shuffle=True, num_workers=2)
    lb = torch.utils.data.DataLoader(b, 32, shuffle=True, num_workers=2)
    net = torch.nn.Linear(20, 5)
    return AdaptTrainer(net, la, lb, torch.optim.SGD(net.parameters(), 0.1))
