"""Speech separation: dilated 1-D convolutions, permutation-invariant loss over all orders, gradient clipping."""
from itertools import permutations
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Mixes(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        s = torch.randn(2, 32000)
        return s.sum(0), s


class Chomp(nn.Module):
    def __init__(self, b, h, k, d):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(b, h, 1), nn.PReLU(), nn.GroupNorm(1, h), nn.Conv1d(h, h, k, padding=d * (k - 1) // 2, dilation=d, groups=h), nn.PReLU(), nn.GroupNorm(1, h))
        self.res, self.skip = nn.Conv1d(h, b, 1), nn.Conv1d(h, b, 1)

    def forward(self, x):
        y = self.net(x)
        return x + self.res(y), self.skip(y)


class ConvTasNet(nn.Module):
    def __init__(self, N=512, L=16, B=128, H=512, P=3, X=8, R=3, C=2):
        super().__init__()
        self.C, self.N = C, N
        self.encoder, self.decoder = nn.Conv1d(1, N, L, L // 2, bias=False), nn.ConvTranspose1d(N, 1, L, L // 2, bias=False)
        self.norm, self.bottle = nn.GroupNorm(1, N), nn.Conv1d(N, B, 1)
        self.blocks = nn.ModuleList([Chomp(B, H, P, 2**x) for _ in range(R) for x in range(X)])
        self.mask = nn.Sequential(nn.PReLU(), nn.Conv1d(B, C * N, 1), nn.Sigmoid())

    def forward(self, mix):
        w = torch.relu(self.encoder(mix.unsqueeze(1)))
        x, skips = self.bottle(self.norm(w)), 0.0
        for block in self.blocks:
            x, skip = block(x)
            skips = skips + skip
        m = self.mask(skips).view(mix.size(0), self.C, self.N, -1)
        s = (w.unsqueeze(1) * m).flatten(0, 1)
        return self.decoder(s).view(mix.size(0), self.C, -1)


def si_snr(est, ref, eps=1e-8):
    est, ref = est - est.mean(-1, keepdim=True), ref - ref.mean(-1, keepdim=True)
    proj = (est * ref).sum(-1, keepdim=True) * ref / (ref.pow(2).sum(-1, keepdim=True) + eps)
    return 10 * torch.log10(proj.pow(2).sum(-1) / ((est - proj).pow(2).sum(-1) + eps) + eps)


def pit_loss(est, ref):
    scores = torch.stack([si_snr(est[:, list(p)], ref).mean(1) for p in permutations(range(ref.size(1)))], 1)
    best, _ = scores.max(1)
    return -best.mean()


device = torch.device("cuda:0")
model = ConvTasNet().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=3)
batch_size = 4
train_loader, val_loader = DataLoader(Mixes(), batch_size=batch_size, shuffle=True), DataLoader(Mixes(), batch_size=2 * batch_size)
for epoch in range(3):
    model.train()
    running = 0.0
    for mix, src in train_loader:
        mix, src = mix.to(device), src.to(device)
        loss = pit_loss(model(mix), src)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimizer.step()
        running += loss.item()
    model.eval()
    val = 0.0
    with torch.no_grad():
        for mix, src in val_loader:
            val += pit_loss(model(mix.to(device)), src.to(device)).item()
    scheduler.step(val)
    print(epoch, running, val)
