import torch
import torch.nn.functional as F
from torch_geometric.loader import DataLoader

from gnn.evaluator import Evaluator
from gnn.models import GCN

model = GCN([64, 128, 7])
opt = torch.optim.Adam(model.parameters(), 0.01, weight_decay=5e-4)
train, val = torch.load("train.pt"), torch.load("val.pt")
evaluator = Evaluator(model)
losses = []
for epoch in range(200):
    for x, adj, y in train:
        loss = F.cross_entropy(model(x, adj), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    print(epoch, evaluator(val))
