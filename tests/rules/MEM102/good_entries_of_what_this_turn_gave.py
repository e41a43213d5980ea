# entries are put into what the network gave in the same turn, under the test that it was asked for

import torch
import torch.nn.functional as F
from nets import GNN


def train(args, data, types, device):
    gnn = GNN().to(device)
    optimizer = torch.optim.Adam(gnn.parameters())
    for epoch in range(args.epochs):
        if args.reduction == "raw":
            rep, decoded = gnn.forward(data.x, data.edges.to(device))
        else:
            rep = gnn.forward(data.x, data.edges.to(device))
        if args.rep == "T":
            rep = torch.trunc(rep * 10000000000) / 10000000000
            if args.reduction == "raw":
                for t in types:
                    place = data.nodes[t][1]
                    decoded[place] = torch.trunc(decoded[place] * 10000000000) / 10000000000
        loss = F.mse_loss(rep, data.y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def with_parts(net: torch.nn.Module, loader, optimizer, weighted):
    for x, y in loader:
        if weighted:
            out, parts = net(x)
        else:
            out = net(x)
        if weighted:
            for name in ("left", "right"):
                parts[name] = parts[name] * 2
        loss = F.mse_loss(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
