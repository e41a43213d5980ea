import torch


class Opt(torch.optim.SGD):
    def step(self, closure=None):
        out = super().step(closure)
        self.zero_grad()
        return out


def own(net, loader, crit):
    opt = Opt(net.parameters(), lr=0.1)
    for x, y in loader:
        crit(net(x), y).backward()
        opt.step()


def callback_based(net, loader, crit, opt, callbacks):
    for x, y in loader:
        for cb in callbacks:
            cb.before_batch(net, opt)
        crit(net(x), y).backward()
        opt.step()


def by_map(nets, opts, loader, crit):
    for x, y in loader:
        list(map(lambda o: o.zero_grad(), opts))
        sum(crit(n(x), y) for n in nets).backward()
        for o in opts:
            o.step()


def once(net, x, y, crit):
    opt = torch.optim.SGD(net.parameters(), 0.1)
    crit(net(x), y).backward()
    opt.step()
