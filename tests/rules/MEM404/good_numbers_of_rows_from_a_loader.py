# what the loader gives are the numbers of rows, which are small

import torch
from torch.utils.data import DataLoader


def predict(model, rows, features, labels, device):
    loader = DataLoader(torch.arange(rows), batch_size=1024)
    taken, guesses = [], []
    with torch.no_grad():
        for batch in loader:
            x = features[batch].to(device)
            taken.append(batch)
            guesses.append(model(x).argmax(1).cpu())
    return torch.cat(taken), torch.cat(guesses), labels
