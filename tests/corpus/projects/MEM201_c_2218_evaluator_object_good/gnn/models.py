from torch import nn

from gnn.layers import GraphConv


class GCN(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.layers = nn.ModuleList(GraphConv(a, b) for a, b in zip(dims, dims[1:]))

    def forward(self, x, adj):
        for layer in self.layers[:-1]:
            x = layer(x, adj).relu()
        return self.layers[-1](x, adj)
