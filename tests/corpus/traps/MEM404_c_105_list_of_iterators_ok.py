import torch
from torch.utils.data import DataLoader


def multi_task(task_sets, model, opt, steps):
    loaders = {name: DataLoader(ds, batch_size=8, shuffle=True) for name, ds in task_sets.items()}
    iters = {name: iter(dl) for name, dl in loaders.items()}
    names = sorted(loaders)
    order = list(loaders.keys())
    for step in range(steps):
        name = names[step % len(names)]
        try:
            x, y = next(iters[name])
        except StopIteration:
            iters[name] = iter(loaders[name])
            x, y = next(iters[name])
        loss = torch.nn.functional.cross_entropy(model(x, name), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return order
