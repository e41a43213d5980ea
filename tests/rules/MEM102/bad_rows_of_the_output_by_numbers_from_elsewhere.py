# The rows that a mask or numbers out of view pick are rows of a tensor, with its graph.

import torch
import torch.nn.functional as F
from graphs import load
from nets import GCN

adj, x, y, idx_train, idx_val, graph = load()
model = GCN(x.shape[1], 16)
opt = torch.optim.Adam(model.parameters())
by_number, by_mask = [], []
for epoch in range(200):
    model.train()
    opt.zero_grad()
    F.nll_loss(model(x, adj)[idx_train], y[idx_train]).backward()
    opt.step()
    model.eval()
    out = model(x, adj)
    first = F.nll_loss(out[idx_val], y[idx_val])
    by_number.append(first)  #! MEM102 error
    second = F.nll_loss(out[graph.val_mask], y[graph.val_mask])
    by_mask.append(second)  #! MEM102 error
