import math
import torch


def train(model, loader, opt, crit, scheduler):
    skipped = 0
    for x, y in loader:
        loss = crit(model(x), y)
        if not math.isfinite(loss.item()):
            skipped += 1
            opt.zero_grad()
            continue
        loss.backward()
        opt.step()
        scheduler.step()
        opt.zero_grad()
    return skipped


def train_scaled(model, loader, opt, crit, scaler):
    opt.zero_grad(set_to_none=True)
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cuda"):
            loss = crit(model(x), y)
        scaler(loss, opt, parameters=model.parameters(), update_grad=(i + 1) % 4 == 0)
        if (i + 1) % 4 == 0:
            opt.zero_grad(set_to_none=True)
