# accuracies come from comparisons, which have no graph, whatever network gives them

import torch

from project import build, loader

net = build()
optimizer = torch.optim.Adam(net.parameters())
word_acc = tree_acc = 0
for batch in loader:
    net.zero_grad()
    loss, kl, wacc, tacc = net(batch, 0.1)
    loss.backward()
    optimizer.step()
    word_acc += wacc
    tree_acc += tacc
print(word_acc, tree_acc)
