# a network that is told which node is of which graph gives a few numbers for each graph, which is advice

import torch


def losses(net, loader, device):
    net.eval()
    outputs, scores = [], []
    with torch.no_grad():
        for data in loader:
            data = data.to(device)
            outputs.append(net(x=data.x, edge_index=data.edge_index, batch_index=data.batch))  #! MEM103 advice
    for data in loader:
        with torch.no_grad():
            out = net(data.x.to(device), data.edge_index.to(device), data.batch)
        scores.append(out)  #! MEM103 advice
    return torch.cat(outputs).cpu().numpy(), torch.cat(scores).cpu()
