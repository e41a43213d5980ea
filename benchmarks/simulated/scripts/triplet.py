"""Metric learning: embeddings of a ViT-like patch mixer, all pairwise distances, hardest positive and negative, AdamW on 350 M parameters."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, Sampler


class Faces(Dataset):
    def __len__(self):
        return 4000

    def __getitem__(self, i):
        return torch.rand(3, 112, 112), i // 8


class PK(Sampler):
    def __init__(self, p, k, n):
        self.p, self.k, self.n = p, k, n

    def __iter__(self):
        for _ in range(self.n):
            who = torch.randperm(500)[: self.p]
            yield [int(w) * 8 + j for w in who for j in range(self.k)]

    def __len__(self):
        return self.n


class Mixer(nn.Module):
    def __init__(self, tokens, d):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.token = nn.Sequential(nn.Linear(tokens, 4 * tokens), nn.GELU(), nn.Linear(4 * tokens, tokens))
        self.channel = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        x = x + self.token(self.n1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channel(self.n2(x))


class Net(nn.Module):
    def __init__(self, d=1408, depth=22, out=512):
        super().__init__()
        self.patch = nn.Conv2d(3, d, 14, 14)
        self.blocks = nn.Sequential(*[Mixer(64, d) for _ in range(depth)])
        self.head = nn.Linear(d, out)

    def forward(self, x):
        return F.normalize(self.head(self.blocks(self.patch(x).flatten(2).transpose(1, 2)).mean(1)), dim=-1)


def batch_hard(emb, labels, margin=0.3):
    dist = torch.cdist(emb, emb)
    same = labels[:, None] == labels[None, :]
    hardest_pos = (dist * same.float()).max(1).values
    hardest_neg = dist.masked_fill(same, float("inf")).min(1).values
    return F.relu(hardest_pos - hardest_neg + margin).mean()


def main():
    torch.manual_seed(0)
    net = Net().cuda()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
    data = Faces()
    loader = DataLoader(data, batch_sampler=PK(8, 4, 100))
    for epoch in range(2):
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            loss = batch_hard(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        net.eval()
        feats = []
        with torch.no_grad():
            for i in range(0, 256, 64):
                feats.append(net(torch.stack([data[j][0] for j in range(i, i + 64)]).cuda()))
        feats = torch.cat(feats)
        print(epoch, loss.item(), (feats @ feats.t()).topk(2).indices[:, 1].float().mean().item())
        net.train()


if __name__ == "__main__":
    main()
