import copy
import torch


def lr_find(model, loader, crit, lo=1e-7, hi=10, n=100):
    state = copy.deepcopy(model.state_dict())
    opt = torch.optim.SGD(model.parameters(), lo)
    mult = (hi / lo) ** (1 / n)
    lrs, losses, avg, best = [], [], 0.0, float("inf")
    for i, (x, y) in enumerate(loader):
        opt.zero_grad()
        loss = crit(model(x), y)
        avg = 0.98 * avg + 0.02 * loss.item()
        smooth = avg / (1 - 0.98 ** (i + 1))
        if i > 10 and smooth > 4 * best:
            break
        best = min(smooth, best)
        losses.append(smooth)
        lrs.append(opt.param_groups[0]["lr"])
        loss.backward()
        opt.step()
        for g in opt.param_groups:
            g["lr"] *= mult
    model.load_state_dict(state)
    return lrs, losses
