import torch
import torch.nn as nn
import torch.nn.functional as F


class MutualLearning:
    """Deep mutual learning with K peers."""

    def __init__(self, nets, lr=0.1):
        self.nets = [n.cuda() for n in nets]
        self.opts = [torch.optim.SGD(n.parameters(), lr=lr, momentum=0.9) for n in self.nets]
        self.scheds = [torch.optim.lr_scheduler.StepLR(o, 60, 0.1) for o in self.opts]
        self.ce = nn.CrossEntropyLoss()

    def epoch(self, loader):
        loss_avg = [0.0] * len(self.nets)
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            outs = [n(x) for n in self.nets]
            for i in range(len(self.nets)):
                ce = self.ce(outs[i], y)
                kl = 0
                for j in range(len(self.nets)):
                    if i != j:
                        kl += F.kl_div(F.log_softmax(outs[i], 1), F.softmax(outs[j].detach(), 1), reduction="batchmean")
                loss = ce + kl / (len(self.nets) - 1)
                self.opts[i].zero_grad()
                loss.backward()
                self.opts[i].step()
                loss_avg[i] += loss  #! MEM101
        for s in self.scheds:
            s.step()
        return [float(l) / len(loader) for l in loss_avg]

    def test(self, loader):
        hits = [0] * len(self.nets)
        n = 0
        for net in self.nets:
            net.eval()
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            for i, net in enumerate(self.nets):
                hits[i] += net(x).argmax(1).eq(y).sum().item()  #! MEM201
            n += len(y)
        for net in self.nets:
            net.train()
        return [h / n for h in hits]
