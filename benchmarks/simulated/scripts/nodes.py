"""Graph attention by index_add on one large graph, all nodes at once, dropout, evaluation by masks."""
import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"
NODES, EDGES, FEATURES, HIDDEN, HEADS, CLASSES = 60_000, 600_000, 512, 64, 4, 47


class GATLayer(nn.Module):
    def __init__(self, n_in, n_out, heads, concat=True):
        super().__init__()
        self.heads, self.n_out, self.concat = heads, n_out, concat
        self.lin = nn.Linear(n_in, heads * n_out, bias=False)
        self.att_src = nn.Parameter(torch.empty(1, heads, n_out))
        self.att_dst = nn.Parameter(torch.empty(1, heads, n_out))
        self.bias = nn.Parameter(torch.zeros(heads * n_out if concat else n_out))
        nn.init.xavier_uniform_(self.att_src)
        nn.init.xavier_uniform_(self.att_dst)

    def forward(self, x, edge_index):
        src, dst = edge_index
        h = self.lin(x).view(-1, self.heads, self.n_out)
        a_src, a_dst = (h * self.att_src).sum(-1), (h * self.att_dst).sum(-1)
        e = F.leaky_relu(a_src[src] + a_dst[dst], 0.2)
        e = e - e.max()
        w = e.exp()
        norm = torch.zeros(x.size(0), self.heads, device=x.device).index_add_(0, dst, w)
        alpha = w / (norm[dst] + 1e-16)
        alpha = F.dropout(alpha, 0.3, self.training)
        out = torch.zeros_like(h).index_add_(0, dst, h[src] * alpha.unsqueeze(-1))
        out = out.flatten(1) if self.concat else out.mean(1)
        return out + self.bias


class GAT(nn.Module):
    def __init__(self):
        super().__init__()
        self.convs = nn.ModuleList([GATLayer(FEATURES, HIDDEN, HEADS), GATLayer(HIDDEN * HEADS, HIDDEN, HEADS), GATLayer(HIDDEN * HEADS, CLASSES, 1, concat=False)])

    def forward(self, x, edge_index):
        for conv in self.convs[:-1]:
            x = F.dropout(F.elu(conv(x, edge_index)), 0.5, self.training)
        return self.convs[-1](x, edge_index)


torch.manual_seed(1)
x = torch.randn(NODES, FEATURES).to(device)
edge_index = torch.randint(0, NODES, (2, EDGES)).to(device)
y = torch.randint(0, CLASSES, (NODES,)).to(device)
perm = torch.randperm(NODES)
train_mask = torch.zeros(NODES, dtype=torch.bool)
train_mask[perm[:30_000]] = True
val_mask = ~train_mask
train_mask, val_mask = train_mask.to(device), val_mask.to(device)
model = GAT().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.005, weight_decay=5e-4)


def train():
    model.train()
    optimizer.zero_grad()
    out = model(x, edge_index)
    loss = F.cross_entropy(out[train_mask], y[train_mask])
    loss.backward()
    optimizer.step()
    return float(loss)


@torch.no_grad()
def test():
    model.eval()
    pred = model(x, edge_index).argmax(-1)
    return [(pred[m] == y[m]).float().mean().item() for m in (train_mask, val_mask)]


best = 0
for epoch in range(1, 201):
    loss = train()
    train_acc, val_acc = test()
    best = max(best, val_acc)
    if epoch % 10 == 0:
        print(f"Epoch {epoch:03d} loss {loss:.4f} train {train_acc:.4f} val {val_acc:.4f} best {best:.4f}")
