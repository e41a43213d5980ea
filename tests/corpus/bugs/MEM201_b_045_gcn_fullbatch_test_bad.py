import torch
import torch.nn.functional as F
from torch_geometric.datasets import Planetoid
from torch_geometric.nn import GCNConv

dataset = Planetoid("data/Cora", "Cora")
data = dataset[0]


class GCN(torch.nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.conv1 = GCNConv(dataset.num_features, hidden)
        self.conv2 = GCNConv(hidden, dataset.num_classes)

    def forward(self, x, edge_index):
        x = F.dropout(x, p=0.5, training=self.training)
        x = F.relu(self.conv1(x, edge_index))
        x = F.dropout(x, p=0.5, training=self.training)
        return self.conv2(x, edge_index)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model, data = GCN(64).to(device), data.to(device)
optimizer = torch.optim.Adam([
    dict(params=model.conv1.parameters(), weight_decay=5e-4),
    dict(params=model.conv2.parameters(), weight_decay=0),
], lr=0.01)


def train():
    model.train()
    optimizer.zero_grad()
    out = model(data.x, data.edge_index)
    loss = F.cross_entropy(out[data.train_mask], data.y[data.train_mask])
    loss.backward()
    optimizer.step()
    return float(loss)


def test():
    model.eval()
    logits = model(data.x, data.edge_index)  #! MEM201
    pred = logits.argmax(dim=-1)
    accs = []
    for mask in [data.train_mask, data.val_mask, data.test_mask]:
        accs.append(int((pred[mask] == data.y[mask]).sum()) / int(mask.sum()))
    return accs


best_val = test_acc = 0
for epoch in range(1, 501):
    loss = train()
    train_acc, val_acc, tmp = test()
    if val_acc > best_val:
        best_val, test_acc = val_acc, tmp
    if epoch % 20 == 0:
        print(f"Epoch {epoch:03d} loss {loss:.4f} train {train_acc:.4f} val {val_acc:.4f} test {test_acc:.4f}")
