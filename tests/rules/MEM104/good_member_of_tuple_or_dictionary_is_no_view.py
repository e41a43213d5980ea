# a member of a tuple or dictionary is no view

import torch


def outputs(model, loader):
    kept = []
    with torch.no_grad():
        for batch in loader:
            out = model(batch[0])
            kept.append(out[0])
            kept.append(out["logits"])
            kept.append(batch[1])
    return kept
