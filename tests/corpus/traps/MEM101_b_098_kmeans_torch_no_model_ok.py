import torch


def kmeans(x, k, iters=50):
    c = x[torch.randperm(len(x))[:k]].clone()
    inertia = []
    total = 0
    for _ in range(iters):
        d = torch.cdist(x, c)
        m, lab = d.min(1)
        loss = m.pow(2).sum()
        total += loss
        inertia.append(loss)
        for j in range(k):
            if (lab == j).any():
                c[j] = x[lab == j].mean(0)
    return c, lab, torch.stack(inertia)
