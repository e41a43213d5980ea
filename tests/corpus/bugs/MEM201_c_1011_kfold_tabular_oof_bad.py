import gc

import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from sklearn.model_selection import StratifiedKFold
from torch.utils.data import DataLoader, TensorDataset

SEED, N_FOLDS, EPOCHS = 42, 5, 20
train = pd.read_csv("train.csv")
feats = [c for c in train.columns if c.startswith("f_")]
X = torch.tensor(train[feats].to_numpy(dtype="float32"))
y = torch.tensor(train["target"].to_numpy(dtype="float32"))
oof = np.zeros(len(train))
fold_losses = []
skf = StratifiedKFold(n_splits=N_FOLDS, shuffle=True, random_state=SEED)
for fold, (tr_idx, va_idx) in enumerate(skf.split(X, y)):
    print(f"===== fold {fold} =====")
    model = nn.Sequential(nn.Linear(len(feats), 256), nn.SiLU(), nn.Dropout(0.2), nn.Linear(256, 1)).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, epochs=EPOCHS, steps_per_epoch=100)
    loss_fn = nn.BCEWithLogitsLoss()
    tr = DataLoader(TensorDataset(X[tr_idx], y[tr_idx]), batch_size=1024, shuffle=True)
    va = DataLoader(TensorDataset(X[va_idx], y[va_idx]), batch_size=4096)
    best = np.inf
    for epoch in range(EPOCHS):
        model.train()
        for xb, yb in tr:
            optimizer.zero_grad()
            loss = loss_fn(model(xb.cuda()).squeeze(1), yb.cuda())
            loss.backward()
            optimizer.step()
            scheduler.step()
        model.eval()
        val_loss, preds = 0, []
        for xb, yb in va:
            logits = model(xb.cuda()).squeeze(1)  #! MEM201
            val_loss += loss_fn(logits, yb.cuda()) * len(xb)  #! MEM101
            preds.append(torch.sigmoid(logits))  #! MEM102
        preds = torch.cat(preds).detach().cpu().numpy()
        if val_loss < best:
            best = val_loss
            oof[va_idx] = preds
    fold_losses.append(best)
    del model, optimizer
    gc.collect()
print("CV", sum(fold_losses) / len(train))
