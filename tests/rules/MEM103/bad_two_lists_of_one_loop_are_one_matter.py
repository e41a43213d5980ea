# what moves one list of a loop moves the other as well: one finding, with a second place; another loop is another

import torch


@torch.no_grad()
def predict(model, loader):
    logits, masks, more = [], [], []
    for x in loader:
        found = model(x.cuda())
        logits.append(found["logits"])  #! MEM103 warning
        masks.append(found["masks"])
    for x in loader:
        more.append(model(x.cuda())["logits"])  #! MEM103 warning
    return torch.cat(logits).cpu(), torch.cat(masks).cpu(), torch.cat(more).cpu()
