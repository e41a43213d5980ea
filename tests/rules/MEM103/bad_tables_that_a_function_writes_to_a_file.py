# What a function writes to a file itself, and gives to nobody, is not left to its callers.

import torch
from torch.utils.data import DataLoader


def encode(model, dataset, device="cuda"):
    model.to(device).eval()
    table = {}
    with torch.no_grad():
        for ids, waves in DataLoader(dataset, batch_size=16):
            feats = model(waves.to(device)).last_hidden_state
            for i, f in zip(ids, feats):
                table[i] = f  #! MEM103 warning
    torch.save(table, "feats.pt")


def encode_rows(model, dataset, device="cuda"):
    model.to(device).eval()
    rows = {}
    with torch.no_grad():
        for ids, waves in DataLoader(dataset, batch_size=16):
            feats = model(waves.to(device)).last_hidden_state
            for i, f in enumerate(feats):
                rows[ids[i]] = f  #! MEM103 warning
    torch.save(rows, "rows.pt")
