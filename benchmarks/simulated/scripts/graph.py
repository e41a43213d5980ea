"""Graph attention of torch_geometric on one made-up graph of 60,000 nodes and a million edges, whole at once."""

import torch
import torch.nn.functional as F
from torch_geometric.nn import GATConv, SAGEConv

NODES, EDGES, WIDTH, CLASSES = 60_000, 1_000_000, 256, 40


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = GATConv(128, WIDTH // 8, heads=8, dropout=0.3)
        self.second = SAGEConv(WIDTH, WIDTH)
        self.last = torch.nn.Linear(WIDTH, CLASSES)

    def forward(self, x, edges):
        x = F.elu(self.first(F.dropout(x, 0.3, self.training), edges))
        return self.last(F.relu(self.second(x, edges)))


torch.manual_seed(0)
x = torch.randn(NODES, 128).to("cuda")
edges = torch.randint(0, NODES, (2, EDGES)).to("cuda")
labels = torch.randint(0, CLASSES, (NODES,)).to("cuda")
chosen = (torch.rand(NODES) < 0.5).to("cuda")
net = Net().to("cuda")
optimizer = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=5e-4)
for _ in range(4):
    net.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(net(x, edges)[chosen], labels[chosen])
    loss.backward()
    optimizer.step()
    net.eval()
    with torch.no_grad():
        found = net(x, edges).argmax(1)
    print(loss.item(), (found == labels).float().mean().item())
