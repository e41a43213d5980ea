# helper that cuts, closure that stores

import torch


def top(scores):
    return scores.detach()[:, :5]


def rank(model, query_loader):
    best = []

    def remember(scores):
        best.append(top(scores))  #! MEM104 advice

    for q in query_loader:
        with torch.no_grad():
            remember(model(q).sort(dim=1, descending=True)[0])
    return best


print(len(rank(torch.nn.Linear(8, 1000), [torch.randn(4, 8) for _ in range(12)])))
