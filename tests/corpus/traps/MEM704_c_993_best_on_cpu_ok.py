import copy

import torch
from torch.optim.swa_utils import AveragedModel


def fit(model, loaders, opt, epochs, path):
    model.cuda()
    ema = copy.deepcopy(model).eval()
    swa = AveragedModel(model)
    best, best_state = 1e9, None
    for e in range(epochs):
        for x, y in loaders["train"]:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
            opt.step()
        swa.update_parameters(model)
        with torch.no_grad():
            for a, b in zip(ema.parameters(), model.parameters()):
                a.lerp_(b, 0.01)
        val = evaluate(model, loaders["val"])
        if val < best:
            best = val
            best_state = {k: v.cpu().clone() for k, v in model.state_dict().items()}
            state = model.state_dict()
            torch.save(state, path)
            torch.save({"model": model.state_dict(), "epoch": e}, path + ".full")
    model.load_state_dict(best_state)
    return model


@torch.no_grad()
def evaluate(model, loader):
    return sum(torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda()).item() for x, y in loader)
