import torch


def trainer(net, opt, crit):
    def zero():
        for p in net.parameters():
            p.grad = None

    def step(batch):
        x, y = batch
        zero()
        loss = crit(net(x), y)
        loss.backward()
        opt.step()
        return loss.item()

    def run(loader):
        return [step(b) for b in loader]

    return run


def accumulate(net, opt, crit, k):
    state = {"n": 0}

    def micro(x, y):
        (crit(net(x), y) / k).backward()
        state["n"] += 1
        if state["n"] % k == 0:
            opt.step()
            opt.zero_grad()

    def run(loader):
        for x, y in loader:
            micro(x, y)

    return run


def two_phase(net, head, opt_a, opt_b, crit):
    def run(loader):
        for x, y in loader:
            opt_a.zero_grad()
            opt_b.zero_grad()
            crit(head(net(x)), y).backward()
            opt_a.step()
            opt_b.step()
    return run
