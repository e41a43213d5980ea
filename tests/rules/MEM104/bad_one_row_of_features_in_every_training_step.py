# one row of the features in every training step

import torch
import torch.nn.functional as F


def train(net, head, train_loader, optimizer):
    probes = []
    for x, y in train_loader:
        feat = net(x)
        loss = F.cross_entropy(head(feat), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        probes.append(feat.detach()[3])  #! MEM104 warning
    return torch.stack(probes)


def main():
    net, head = torch.nn.Linear(64, 256), torch.nn.Linear(256, 7)
    loader = [(torch.randn(64, 64), torch.randint(0, 7, (64,))) for _ in range(40)]
    optimizer = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
    print(train(net, head, loader, optimizer).shape)


main()
