# -*- coding: utf-8 -*-
import numpy as np
import torch
from sklearn.metrics import f1_score, roc_auc_score
from tqdm import tqdm


def train_fn(data_loader, model, optimizer, device, scheduler=None):
    model.train()
    fin_targets = []
    fin_outputs = []
    for bi, d in tqdm(enumerate(data_loader), total=len(data_loader)):
        ids = d["ids"].to(device, dtype=torch.long)
        mask = d["mask"].to(device, dtype=torch.long)
        targets = d["targets"].to(device, dtype=torch.float)

        optimizer.zero_grad()
        outputs = model(ids=ids, mask=mask)
        loss = torch.nn.BCEWithLogitsLoss()(outputs, targets.view(-1, 1))
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()

        fin_targets.append(targets)
        fin_outputs.append(torch.sigmoid(outputs).detach().cpu())
    y_true = torch.cat(fin_targets).cpu().numpy()
    y_pred = torch.cat(fin_outputs).detach().cpu().numpy()
    return roc_auc_score(y_true, y_pred)


def run(dataset, valid, model, lr=3e-5, epochs=10):
    device = "cuda"
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    for epoch in range(epochs):
        auc = train_fn(dataset, model, optimizer, device)
        print(f"epoch={epoch} train auc={auc}")
