"""Node classification on one graph: full batches, a test after every epoch, the best weights kept."""

import argparse
import copy
import time

import torch
import torch.nn.functional as F
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--hidden", type=int, default=32)
parser.add_argument("--dropout", type=float, default=0.5)
parser.add_argument("--lr", type=float, default=0.01)
parser.add_argument("--weight-decay", type=float, default=5e-4)
parser.add_argument("--epochs", type=int, default=60)
parser.add_argument("--patience", type=int, default=40)
parser.add_argument("--nodes", type=int, default=1200)
args = parser.parse_args()
torch.manual_seed(42)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class GraphConvolution(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_features, out_features))
        self.bias = nn.Parameter(torch.zeros(out_features))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, edges, weights):
        support = x @ self.weight
        source, target = edges
        messages = support[source] * weights[:, None]
        return torch.zeros_like(support).index_add_(0, target, messages) + self.bias


class GCN(nn.Module):
    def __init__(self, features, hidden, classes, dropout):
        super().__init__()
        self.gc1 = GraphConvolution(features, hidden)
        self.gc2 = GraphConvolution(hidden, classes)
        self.dropout = dropout

    def forward(self, x, edges, weights):
        x = F.relu(self.gc1(x, edges, weights))
        x = F.dropout(x, self.dropout, training=self.training)
        return F.log_softmax(self.gc2(x, edges, weights), dim=1)


def load_data(nodes):
    features = torch.rand(nodes, 64)
    edges = torch.randint(0, nodes, (2, 6 * nodes))
    edges = torch.cat([edges, edges.flip(0), torch.arange(nodes).repeat(2, 1)], dim=1)
    degree = torch.bincount(edges[1], minlength=nodes).float()
    weights = degree[edges[0]].rsqrt() * degree[edges[1]].rsqrt()
    order = torch.randperm(nodes)
    split = order[: nodes // 5], order[nodes // 5 : nodes // 2], order[nodes // 2 :]
    return features, edges, weights, torch.randint(0, 7, (nodes,)), split


features, edges, weights, labels, (idx_train, idx_val, idx_test) = load_data(args.nodes)
model = GCN(64, args.hidden, 7, args.dropout).to(device)
features, edges, weights, labels = (t.to(device) for t in (features, edges, weights, labels))
idx_train, idx_val, idx_test = (t.to(device) for t in (idx_train, idx_val, idx_test))
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)


def train():
    model.train()
    optimizer.zero_grad()
    output = model(features, edges, weights)
    loss = F.nll_loss(output[idx_train], labels[idx_train])
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def test():
    model.eval()
    output = model(features, edges, weights)
    val_loss = F.nll_loss(output[idx_val], labels[idx_val]).item()
    accuracies = [
        (output[idx].argmax(1) == labels[idx]).float().mean().item() for idx in (idx_train, idx_val, idx_test)
    ]
    return val_loss, accuracies


best_loss, best_weights, waited = float("inf"), None, 0
started = time.time()
for epoch in range(args.epochs):
    loss = train()
    val_loss, (train_acc, val_acc, test_acc) = test()
    if epoch % 10 == 0:
        print(f"Epoch: {epoch:03d}, loss {loss:.4f}, val {val_loss:.4f} {val_acc:.3f}, test {test_acc:.3f}")
    if val_loss < best_loss:
        best_loss, waited = val_loss, 0
        best_weights = copy.deepcopy(model.state_dict())
    else:
        waited += 1
        if waited >= args.patience:
            break
model.load_state_dict(best_weights)
print(f"finished in {time.time() - started:.1f} s, test accuracy {test()[1][2]:.3f}")
torch.save(best_weights, "gcn.pt")
