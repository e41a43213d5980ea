import glob

import numpy as np
import pandas as pd
import torch
import torch.nn as nn


class TabNet(nn.Module):
    def __init__(self, n, m=200):
        super().__init__()
        self.seq = nn.Sequential(nn.BatchNorm1d(n), nn.Linear(n, m), nn.PReLU(), nn.Dropout(0.2), nn.Linear(m, 1))

    def forward(self, x):
        return self.seq(x).squeeze(1)


def load_models(pattern, n, device):
    models = []
    for path in sorted(glob.glob(pattern)):
        m = TabNet(n).to(device)
        m.load_state_dict(torch.load(path, map_location=device))
        m.eval()
        models.append(m)
    return models


def predict(models, loader, device):
    preds = []
    for x, in loader:
        x = x.to(device)
        avg = 0
        with torch.no_grad():
            for m in models:
                avg = avg + torch.sigmoid(m(x))
        preds.append((avg / len(models)).detach().cpu().numpy())
    return np.concatenate(preds)


def main():
    device = "cuda:0"
    test = pd.read_csv("test.csv")
    x = torch.tensor(test.drop(columns=["id"]).values, dtype=torch.float32)
    ds = torch.utils.data.TensorDataset(x)
    loader = torch.utils.data.DataLoader(ds, batch_size=4096)
    models = load_models("fold_*.pt", x.shape[1], device)
    sub = pd.DataFrame({"id": test["id"], "target": predict(models, loader, device)})
    sub.to_csv("submission.csv", index=False)


if __name__ == "__main__":
    main()
