# backward has freed the forward pass that the members come from: no caller can differentiate them

import torch
import torch.nn.functional as F


def train_epoch(model, loader, optimizer):
    entropies = []
    history = {"norm": []}
    for x, y in loader:
        logits = model(x.cuda())
        loss = F.cross_entropy(logits, y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        p = logits.softmax(1)
        entropies.append(-(p * p.log()).sum())  #! MEM102 error
        history["norm"].append(logits.pow(2).sum())  #! MEM102 error
    return torch.stack(entropies), history
