# nothing but labels is kept, a little for every batch

import torch


@torch.no_grad()
def classes_of(model, loader):
    labels = []
    for x, y in loader:
        labels.append(model(x.cuda()).argmax(1))  #! MEM103 advice
    return torch.cat(labels).cpu()
