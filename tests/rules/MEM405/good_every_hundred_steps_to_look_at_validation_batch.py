# every hundred steps, to look at a validation batch

import torch
from torch.utils.data import DataLoader


def fit(net, opt, train_set, val_set, log):
    val_loader = DataLoader(val_set, batch_size=64, shuffle=True)
    for step, x in enumerate(DataLoader(train_set, batch_size=8)):
        opt.zero_grad()
        loss = net(x).mean()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            with torch.no_grad():
                log(net(next(iter(val_loader))).mean().item())
