# one integer for each sample: nothing that counts

import torch


def predict(model, loader):
    model.cuda().eval()
    preds = torch.empty(0, dtype=torch.long, device="cuda")
    with torch.no_grad():
        for x, _ in loader:
            preds = torch.cat([preds, model(x.cuda()).argmax(1)])
    return preds
