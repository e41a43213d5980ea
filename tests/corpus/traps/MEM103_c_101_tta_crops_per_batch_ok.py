import numpy as np
import torch


def tta_predict(models, loader, device="cuda"):
    folds = []
    with torch.no_grad():
        for x in loader:
            x = x.to(device)
            per_model = []
            for m in models:
                per_model.append(m(x).sigmoid())
                per_model.append(m(x.flip(-1)).sigmoid())
            folds.append(torch.stack(per_model).mean(0).detach().cpu().numpy())
    return np.concatenate(folds)
