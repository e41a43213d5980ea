import copy
import torch
from torch import nn


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {k: v.clone() for k, v in model.state_dict().items()}

    def update(self, model):
        for k, v in model.state_dict().items():
            if v.dtype.is_floating_point:
                self.shadow[k] = self.decay * self.shadow[k] + (1 - self.decay) * v


class ModelEma(nn.Module):
    def __init__(self, model, decay=0.999):
        super().__init__()
        self.module = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    def _update(self, model, fn):
        with torch.no_grad():
            for e, m in zip(self.module.state_dict().values(), model.state_dict().values()):
                e.copy_(fn(e, m))

    def update(self, model):
        self._update(model, lambda e, m: self.decay * e + (1 - self.decay) * m)


def accumulate(m1, m2, decay=0.999):
    par1 = dict(m1.named_parameters())
    par2 = dict(m2.named_parameters())
    for k in par1.keys():
        par1[k].data.mul_(decay).add_(par2[k].data, alpha=1 - decay)


def soft_update(local, target, tau):
    for t, l in zip(target.parameters(), local.parameters()):
        t.data.copy_(tau * l.data + (1.0 - tau) * t.data)


def train(net, loader, crit):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    ema, mema, avg = EMA(net, 0.99), ModelEma(net), copy.deepcopy(net)
    running = 0.0
    for x, y in loader:
        loss = crit(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running = 0.9 * running + 0.1 * loss.item()
        ema.update(net)
        mema.update(net)
        accumulate(avg, net)
        soft_update(net, avg, 0.01)
    return running
