# torch.tensor of Python numbers lies in host memory, also where a GPU computes beside it

import numpy as np
import torch


def evaluate(model, loader, device):
    model.to(device).eval()
    truth, found = None, None
    with torch.no_grad():
        for sample in loader:
            scores = model(sample["ids"].to(device))
            for i, score in enumerate(scores):
                real, guess = torch.tensor([sample["label"][i]]), torch.tensor([np.median(float(score))])
                truth = torch.tensor([sample["label"][i]]) if truth is None else torch.cat((truth, real))
                found = torch.tensor([float(score)]) if found is None else torch.cat((found, guess))
    return np.corrcoef(truth.cpu().numpy(), found.cpu().numpy())
