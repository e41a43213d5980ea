import torch
import torch.nn.functional as F
from torch_geometric.datasets import Planetoid
from torch_geometric.nn import GCNConv

data = Planetoid("/tmp/cora", "Cora")[0]


class GCN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = GCNConv(1433, 16), GCNConv(16, 7)

    def forward(self, x, edge_index):
        x = F.dropout(F.relu(self.a(x, edge_index)), training=self.training)
        return self.b(x, edge_index).log_softmax(1)


model = GCN()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
model.train()
for epoch in range(200):
    optimizer.zero_grad()
    out = model(data.x, data.edge_index)
    loss = F.nll_loss(out[data.train_mask], data.y[data.train_mask])
    loss.backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    pred = model(data.x, data.edge_index).argmax(1)
print((pred[data.test_mask] == data.y[data.test_mask]).float().mean().item())
