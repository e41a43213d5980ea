# parameters without a module: what they give for a test set has a graph

import torch

weight = torch.zeros(20, 5, requires_grad=True)
bias = torch.zeros(5, requires_grad=True)
opt = torch.optim.SGD([weight, bias], 0.1)


def scores(rows):
    return rows.matmul(weight) + bias


def train(train_loader):
    for rows, labels in train_loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(scores(rows), labels).backward()
        opt.step()


def test(test_loader):
    found = []
    for rows, _ in test_loader:
        found.append(scores(rows))  #! MEM102 error
    return torch.cat(found).argmax(-1).tolist()
