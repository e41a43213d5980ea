# graphs of this package lie in memory

import torch
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCN

data = TUDataset("data", name="ENZYMES")
net = GCN(data.num_features, 64, 3, data.num_classes).cuda()
opt = torch.optim.Adam(net.parameters())
for batch in DataLoader(data, batch_size=32, shuffle=True):
    batch = batch.to("cuda")
    opt.zero_grad()
    net(batch.x, batch.edge_index).sum().backward()
    opt.step()
