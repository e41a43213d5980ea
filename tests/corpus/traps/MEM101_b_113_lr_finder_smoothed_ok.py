import math
import torch


def lr_find(net, dl, opt, crit, lo=1e-8, hi=10., beta=0.98):
    mult = (hi / lo) ** (1 / (len(dl) - 1))
    lr, avg, best = lo, 0., 0.
    losses, lrs = [], []
    for n, (x, y) in enumerate(dl, 1):
        opt.param_groups[0]["lr"] = lr
        opt.zero_grad()
        loss = crit(net(x), y)
        avg = beta * avg + (1 - beta) * loss.data
        smooth = avg / (1 - beta ** n)
        if n > 1 and smooth > 4 * best:
            break
        if smooth < best or n == 1:
            best = smooth
        losses.append(smooth)
        lrs.append(math.log10(lr))
        loss.backward()
        opt.step()
        lr *= mult
    return lrs, losses
