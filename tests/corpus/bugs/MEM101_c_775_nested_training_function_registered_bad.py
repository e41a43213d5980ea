import torch

HOOKS = {}


def register(name):
    def deco(fn):
        HOOKS[name] = fn
        return fn
    return deco


def setup(net, loader, opt, crit):
    @register("epoch")
    def epoch():
        total = 0.0
        for x, y in loader:
            opt.zero_grad()
            loss = crit(net(x), y)
            loss.backward()
            opt.step()
            total += loss  #! MEM101
        return total / len(loader)

    def validate(batches):
        with torch.no_grad():
            return sum(crit(net(x), y).item() for x, y in batches)

    return validate
