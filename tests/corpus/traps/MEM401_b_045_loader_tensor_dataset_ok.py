import torch
from torch.utils.data import DataLoader, TensorDataset, random_split


def build(X, y):
    ds = TensorDataset(torch.as_tensor(X).float(), torch.as_tensor(y).long())
    a, b = random_split(ds, [0.8, 0.2])
    return DataLoader(a, batch_size=256, shuffle=True), DataLoader(b, batch_size=1024, num_workers=0)


def fit(net, X, y):
    tr, va = build(X, y)
    opt = torch.optim.Adam(net.parameters())
    for ep in range(20):
        net.train()
        for xb, yb in tr:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(xb), yb).backward()
            opt.step()
        net.eval()
        with torch.no_grad():
            print(ep, sum((net(xb).argmax(1) == yb).sum().item() for xb, yb in va) / len(va.dataset))
