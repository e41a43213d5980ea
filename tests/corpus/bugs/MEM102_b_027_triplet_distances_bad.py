import torch
import torch.nn as nn
import torch.nn.functional as F


class EmbeddingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 32, 5), nn.PReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 5), nn.PReLU(), nn.AdaptiveAvgPool2d(4))
        self.fc = nn.Linear(1024, 2)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


class TripletNet(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, a, p, n):
        return self.net(a), self.net(p), self.net(n)


def fit(loader, val_loader, epochs=20, margin=1.0):
    model = TripletNet(EmbeddingNet()).cuda()
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    for epoch in range(epochs):
        pos_d, neg_d, losses = [], [], []
        model.train()
        for a, p, n in loader:
            ea, ep, en = model(a.cuda(), p.cuda(), n.cuda())
            dp, dn = (ea - ep).pow(2).sum(1), (ea - en).pow(2).sum(1)
            loss = F.relu(dp - dn + margin).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            pos_d.append(dp.mean())  #! MEM102
            neg_d.append(dn.mean())  #! MEM102
        print(epoch, sum(losses) / len(losses), torch.stack(pos_d).mean(), torch.stack(neg_d).mean())
        hits = []
        model.eval()
        for a, p, n in val_loader:
            ea, ep, en = model(a.cuda(), p.cuda(), n.cuda())  #! MEM201
            hits.extend(((ea - ep).norm(dim=1) < (ea - en).norm(dim=1)).tolist())
        print("triplet acc", sum(hits) / len(hits))
