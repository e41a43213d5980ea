"""A U-Net for masks of 256 x 256: float16 autocast with a GradScaler, dice loss and cross-entropy of marked pixels."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BATCH, STEPS, SIDE, CLASSES = 8, 4, 256, 4


def twice(before, after):
    return nn.Sequential(
        nn.Conv2d(before, after, 3, padding=1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
        nn.Conv2d(after, after, 3, padding=1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, widths=(64, 128, 256, 512)):
        super().__init__()
        self.down = nn.ModuleList(twice(a, b) for a, b in zip((3, *widths), widths, strict=False))
        self.deepest = twice(widths[-1], 2 * widths[-1])
        wide = [2 * widths[-1], *reversed(widths)]
        self.up = nn.ModuleList(nn.ConvTranspose2d(a, b, 2, 2) for a, b in zip(wide, wide[1:], strict=False))
        self.join = nn.ModuleList(twice(2 * b, b) for b in wide[1:])
        self.head = nn.Conv2d(widths[0], CLASSES, 1)

    def forward(self, x):
        seen = []
        for block in self.down:
            x = block(x)
            seen.append(x)
            x = F.max_pool2d(x, 2)
        x = self.deepest(x)
        for up, join in zip(self.up, self.join, strict=True):
            x = join(torch.cat([seen.pop(), up(x)], dim=1))
        return self.head(x)


torch.manual_seed(0)
net = UNet().cuda()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-4)
scaler = torch.amp.GradScaler("cuda")
images = torch.rand(BATCH * STEPS, 3, SIDE, SIDE)
masks = torch.randint(0, CLASSES, (BATCH * STEPS, SIDE, SIDE))
for x, mask in DataLoader(TensorDataset(images, masks), BATCH, shuffle=True):
    x, mask = x.cuda(), mask.cuda()
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        scores = net(x)
        chances = scores.float().softmax(1)
        wanted = F.one_hot(mask, CLASSES).permute(0, 3, 1, 2).float()
        both = (chances * wanted).sum((2, 3))
        dice = 1 - (2 * both / (chances + wanted).sum((2, 3)).clamp(min=1e-6)).mean()
        loss = F.cross_entropy(scores, mask) + dice
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    print(loss.item())
