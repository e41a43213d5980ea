import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class BPRMF(nn.Module):
    def __init__(self, users, items, dim=64):
        super().__init__()
        self.u = nn.Embedding(users, dim)
        self.i = nn.Embedding(items, dim)
        nn.init.normal_(self.u.weight, std=0.01)
        nn.init.normal_(self.i.weight, std=0.01)

    def loss(self, u, p, n):
        ue, pe, ne = self.u(u), self.i(p), self.i(n)
        reg = (ue.norm(2).pow(2) + pe.norm(2).pow(2) + ne.norm(2).pow(2)) / len(u) / 2
        return F.softplus((ue * ne).sum(1) - (ue * pe).sum(1)).mean(), reg

    def scores(self, u):
        return self.u(u) @ self.i.weight.t()


def sample(inter, n_items, n):
    idx = np.random.randint(len(inter), size=n)
    return inter[idx, 0], inter[idx, 1], np.random.randint(n_items, size=n)


def hit_at_k(model, held, k=20):
    model.eval()
    hits = 0
    for users in torch.arange(len(held)).split(1024):
        top = model.scores(users).topk(k).indices  #! MEM201
        hits += (top == held[users].unsqueeze(1)).any(1).sum().item()
    return hits / len(held)


def fit(inter, held, n_users, n_items, epochs=100, batch=2048, decay=1e-4):
    model = BPRMF(n_users, n_items)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for ep in range(epochs):
        aver_loss, n = 0., len(inter) // batch
        for _ in range(n):
            u, p, q = map(torch.from_numpy, sample(inter, n_items, batch))
            loss, reg = model.loss(u, p, q)
            loss = loss + decay * reg
            opt.zero_grad()
            loss.backward()
            opt.step()
            aver_loss = aver_loss + loss / n  #! MEM101
        print(ep, float(aver_loss), hit_at_k(model, held))
