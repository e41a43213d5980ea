import torch
from torch import nn, optim
from torch.amp import autocast


class Siamese(nn.Module):
    def __init__(self, d=128):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 256), nn.ReLU(), nn.Linear(256, 64))

    def forward(self, a, b):
        return nn.functional.pairwise_distance(self.enc(a), self.enc(b))


def contrastive(d, same, margin=1.0):
    return (same * d.pow(2) + (1 - same) * (margin - d).clamp(min=0).pow(2)).mean()


def train(loader, epochs=10):
    net = Siamese().cuda()
    opt = optim.Adam(net.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cuda")
    for ep in range(epochs):
        tot = 0.0
        for a, b, same in loader:
            opt.zero_grad()
            with autocast("cuda"):
                loss = contrastive(net(a.cuda(), b.cuda()), same.cuda().float())
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
            tot += loss.item()
        print(ep, tot / len(loader))
    return net


@torch.no_grad()
def accuracy(net, loader, thr=0.5):
    net.eval()
    ok = n = 0
    for a, b, same in loader:
        ok += ((net(a.cuda(), b.cuda()) < thr).cpu() == same.bool()).sum().item()
        n += len(same)
    return ok / n
