# a clone holds the selected part only

import torch


def class_tokens(vit, loader):
    cls, rows = [], []
    with torch.no_grad():
        for x in loader:
            hidden = vit(x)
            cls.append(hidden[:, 0].clone())
            rows.append(hidden.detach()[2].clone())
    return torch.cat(cls), rows
