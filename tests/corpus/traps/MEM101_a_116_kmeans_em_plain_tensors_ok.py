import torch


def kmeans(x, k, iters=50):
    centers = x[torch.randperm(len(x))[:k]].clone()
    inertia_history = []
    total_loss = 0
    for _ in range(iters):
        d = torch.cdist(x, centers)
        loss, assign = d.min(1)
        loss = loss.sum()
        total_loss += loss
        inertia_history.append(loss)
        for j in range(k):
            centers[j] = x[assign == j].mean(0)
    return centers, inertia_history, total_loss


if __name__ == "__main__":
    data = torch.randn(1000, 16)
    c, h, t = kmeans(data, 8)
    print(h[-1], t)
