import torch
import torch.nn as nn


class PointNet(nn.Module):
    def __init__(self, k=40):
        super().__init__()
        self.mlp = nn.Sequential(nn.Conv1d(3, 64, 1), nn.ReLU(), nn.Conv1d(64, 1024, 1))
        self.fc = nn.Linear(1024, k)

    def forward(self, x):
        return self.fc(self.mlp(x).max(-1).values)


class Exp:
    beta = 0.98

    def __init__(self, loader, k=40):
        self.loader = loader
        self.net = PointNet(k).cuda()
        self.opt = torch.optim.Adam(self.net.parameters(), 1e-3)
        self.smooth = 0.
        self.seen = 0

    def step(self, pts, y):
        self.opt.zero_grad()
        out = self.net(pts.cuda().transpose(1, 2))
        loss = nn.functional.cross_entropy(out, y.cuda())
        loss.backward()
        self.opt.step()
        self.seen += 1
        self.smooth = self.beta * self.smooth + (1 - self.beta) * loss  #! MEM101
        return out.argmax(1)

    def train(self, epochs):
        self.net.train()
        for e in range(epochs):
            right = tot = 0
            for pts, y in self.loader:
                right += (self.step(pts, y).cpu() == y).sum().item()
                tot += len(y)
            debiased = float(self.smooth) / (1 - self.beta ** self.seen)
            print(f"{e} acc {right / tot:.3f} loss {debiased:.3f}")
