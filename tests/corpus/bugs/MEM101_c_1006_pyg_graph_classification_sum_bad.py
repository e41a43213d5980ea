import os.path as osp

import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINConv, MLP, global_add_pool

path = osp.join(osp.dirname(osp.realpath(__file__)), "data", "TU")
dataset = TUDataset(path, name="MUTAG").shuffle()
train_loader = DataLoader(dataset[:0.9], 128, shuffle=True)
test_loader = DataLoader(dataset[0.9:], 128)
device = torch.device("cuda")


class Net(torch.nn.Module):
    def __init__(self, in_channels, hidden, out_channels, num_layers):
        super().__init__()
        self.convs = torch.nn.ModuleList()
        for _ in range(num_layers):
            self.convs.append(GINConv(MLP([in_channels, hidden, hidden]), train_eps=False))
            in_channels = hidden
        self.mlp = MLP([hidden, hidden, out_channels], norm=None, dropout=0.5)

    def forward(self, x, edge_index, batch):
        for conv in self.convs:
            x = conv(x, edge_index).relu()
        return self.mlp(global_add_pool(x, batch))


model = Net(dataset.num_features, 32, dataset.num_classes, 5).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)


def train():
    model.train()
    total_loss = 0
    for data in train_loader:
        data = data.to(device)
        optimizer.zero_grad()
        out = model(data.x, data.edge_index, data.batch)
        loss = F.cross_entropy(out, data.y)
        loss.backward()
        optimizer.step()
        total_loss += loss * data.num_graphs  #! MEM101
    return total_loss / len(train_loader.dataset)


def test(loader):
    model.eval()
    total_correct = 0
    for data in loader:
        data = data.to(device)
        pred = model(data.x, data.edge_index, data.batch).argmax(dim=-1)  #! MEM201
        total_correct += int((pred == data.y).sum())
    return total_correct / len(loader.dataset)


for epoch in range(1, 101):
    loss = train()
    print(f"Epoch {epoch:03d} {loss:.4f} {test(train_loader):.4f} {test(test_loader):.4f}")
