# batches are kept by default

from torch.utils.data import DataLoader


def score(model, data, keep=True):
    loader = DataLoader(data, batch_size=64)
    kept, total = [], 0.0
    for batch in loader:
        total += model(batch).sum().item()
        if keep:
            kept.append(batch)  #! MEM404 error
    return total, kept
