# What is kept of the rows are numbers, or classes; a name of an entry picks no rows.

import torch
import torch.nn.functional as F
from graphs import load
from nets import GCN

adj, x, y, idx_train, idx_val, kind = load()
model = GCN(x.shape[1], 16)
opt = torch.optim.Adam(model.parameters())
losses, classes, entries = [], [], []
for epoch in range(200):
    model.train()
    opt.zero_grad()
    F.nll_loss(model(x, adj)[idx_train], y[idx_train]).backward()
    opt.step()
    model.eval()
    out = model(x, adj)
    losses.append(F.nll_loss(out[idx_val], y[idx_val]).item())
    classes.append(out[idx_val].argmax(1))
    entries.append(out[kind])
