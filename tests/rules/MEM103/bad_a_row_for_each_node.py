# without the graph of each node the network gives a row for each node

import torch


def embed(net, loader, device):
    net.eval()
    nodes = []
    with torch.no_grad():
        for data in loader:
            data = data.to(device)
            nodes.append(net(data.x, data.edge_index))  #! MEM103 warning
    return torch.cat(nodes).cpu()
