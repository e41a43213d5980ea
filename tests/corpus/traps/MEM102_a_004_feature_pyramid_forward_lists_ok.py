import torch
from torch import nn


class FPN(nn.Module):
    def __init__(self, backbone, channels, out=256):
        super().__init__()
        self.backbone = backbone
        self.lateral = nn.ModuleList(nn.Conv2d(c, out, 1) for c in channels)
        self.smooth = nn.ModuleList(nn.Conv2d(out, out, 3, padding=1) for _ in channels)

    def forward(self, x):
        features = []
        for stage in self.backbone:
            x = stage(x)
            features.append(x)
        laterals = [l(f) for l, f in zip(self.lateral, features)]
        for i in range(len(laterals) - 1, 0, -1):
            laterals[i - 1] = laterals[i - 1] + nn.functional.interpolate(laterals[i], scale_factor=2)
        outs = []
        for s, f in zip(self.smooth, laterals):
            outs.append(s(f))
        return outs


def train(model, loader, criterion):
    opt = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9)
    for images, targets in loader:
        preds = model(images.cuda())
        losses = []
        for p, t in zip(preds, targets):
            losses.append(criterion(p, t.cuda()))
        loss = torch.stack(losses).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
