import numpy as np
import torch
from sklearn.model_selection import StratifiedKFold
from torch import nn
from torch.utils.data import DataLoader, Subset


def cross_validate(dataset, labels, make_model, n_splits=5, epochs=20, device="cuda"):
    skf = StratifiedKFold(n_splits=n_splits, shuffle=True, random_state=0)
    scores = []

    def train_one(model, opt, loader):
        total, count = 0, 0
        for xb, yb in loader:
            xb, yb = xb.to(device), yb.to(device)
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
            count += len(xb)
        return total / count

    for fold, (tr, va) in enumerate(skf.split(np.zeros(len(labels)), labels)):
        model = make_model().to(device)
        opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
        train_dl = DataLoader(Subset(dataset, tr), batch_size=64, shuffle=True, num_workers=4)
        fold_losses = [train_one(model, opt, train_dl) for _ in range(epochs)]
        scores.append(float(fold_losses[-1]))
        print("fold", fold, scores[-1])
    return scores
