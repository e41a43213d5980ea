# a limit that only callers set does not end the loop

import torch


def predict(model, loader, n_batch=None):
    model.eval()
    preds = []
    with torch.no_grad():
        for i, (x, _) in enumerate(loader):
            preds.append(model(x.cuda()))  #! MEM103 warning
            if n_batch and i >= n_batch:
                break
    return torch.cat(preds).cpu()
