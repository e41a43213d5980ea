# rows and fields have the same names in each batch: the entries are replaced

import torch


def rows(model, loader, consume):
    model.eval()
    features = {}
    for x, _ in loader:
        with torch.no_grad():
            out = model(x.cuda())
        for i, row in enumerate(out):
            features[i] = row
        consume(features)


def fields(model, loader, opt, names):
    losses = {}
    for batch in loader:
        out = model(batch["x"].cuda())
        for name, part in zip(names, out):
            losses[name] = part.pow(2).mean()
        opt.zero_grad()
        sum(losses.values()).backward()
        opt.step()


def entries(model, loader, opt):
    kept = {}
    for batch in loader:
        for key, value in batch.items():
            kept[key] = model(value.cuda())
        opt.zero_grad()
        sum(v.mean() for v in kept.values()).backward()
        opt.step()
