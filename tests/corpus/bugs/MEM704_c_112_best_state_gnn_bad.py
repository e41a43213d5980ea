import torch
import torch.nn.functional as F
from torch_geometric.datasets import Planetoid
from torch_geometric.nn import GCNConv


class GCN(torch.nn.Module):
    def __init__(self, i, h, o):
        super().__init__()
        self.c1, self.c2 = GCNConv(i, h), GCNConv(h, o)

    def forward(self, d):
        return self.c2(F.relu(self.c1(d.x, d.edge_index)), d.edge_index)


data = Planetoid(".", "Cora")[0]
model = GCN(data.num_features, 16, 7)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
best_val, best_model_state = 0, None
for epoch in range(1, 201):
    model.train()
    optimizer.zero_grad()
    F.cross_entropy(model(data)[data.train_mask], data.y[data.train_mask]).backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        val = (model(data).argmax(1) == data.y)[data.val_mask].float().mean().item()
    if val >= best_val:
        best_val = val
        best_model_state = model.state_dict()  #! MEM704
model.load_state_dict(best_model_state)
print(best_val)
