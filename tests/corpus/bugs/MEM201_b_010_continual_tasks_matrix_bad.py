import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class EWC:
    def __init__(self, model, lamb):
        self.model, self.lamb = model, lamb
        self.old, self.fisher = {}, {}

    def penalty(self):
        reg = 0
        for n, p in self.model.named_parameters():
            if n in self.old:
                reg = reg + (self.fisher[n] * (p - self.old[n]) ** 2).sum()
        return self.lamb * reg

    def consolidate(self, loader):
        self.fisher = {n: torch.zeros_like(p) for n, p in self.model.named_parameters()}
        for x, y in loader:
            self.model.zero_grad()
            F.cross_entropy(self.model(x), y).backward()
            for n, p in self.model.named_parameters():
                self.fisher[n] += p.grad.detach() ** 2 / len(loader)
        self.old = {n: p.detach().clone() for n, p in self.model.named_parameters()}


def accuracy(model, loader):
    model.eval()
    right = total = 0
    for x, y in loader:
        right += (model(x).argmax(-1) == y).sum().item()  #! MEM201
        total += y.numel()
    return right / total


def learn(model, tasks, epochs, lr):
    ewc = EWC(model, lamb=400.)
    acc = torch.zeros(len(tasks), len(tasks))
    for t, task in enumerate(tasks):
        opt = torch.optim.SGD(model.parameters(), lr=lr)
        for _ in range(epochs):
            model.train()
            for x, y in task["train"]:
                loss = F.cross_entropy(model(x), y)
                if t > 0:
                    loss = loss + ewc.penalty()
                loss.backward()  #! MEM121
                opt.step()
        ewc.consolidate(task["train"])
        for j in range(t + 1):
            acc[t, j] = accuracy(model, tasks[j]["test"])
        print("task", t, acc[t, :t + 1].tolist())
    return acc, copy.deepcopy(model)
