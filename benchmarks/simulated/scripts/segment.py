"""Segmentation with dilated convolutions, an auxiliary head, hard pixels by topk, poly learning rate, mIoU by bincount."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

NUM_CLASSES, CROP, BATCH = 19, 512, 6


class Scenes(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return {"image": torch.rand(3, CROP, CROP), "label": torch.randint(0, NUM_CLASSES + 1, (CROP, CROP)), "name": f"{i}.png"}


def cbr(i, o, k=3, s=1, d=1):
    return nn.Sequential(nn.Conv2d(i, o, k, s, d * (k // 2), d, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Bottleneck(nn.Module):
    def __init__(self, i, w, s=1, d=1):
        super().__init__()
        self.body = nn.Sequential(cbr(i, w, 1), cbr(w, w, 3, s, d), nn.Conv2d(w, 4 * w, 1, bias=False), nn.BatchNorm2d(4 * w))
        self.short = nn.Sequential(nn.Conv2d(i, 4 * w, 1, s, bias=False), nn.BatchNorm2d(4 * w)) if s != 1 or i != 4 * w else nn.Identity()
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.relu(self.body(x) + self.short(x))


class DeepLab(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(cbr(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1))
        layers, i = [], 64
        for w, n, s, d in ((64, 3, 1, 1), (128, 4, 2, 1), (256, 6, 1, 2), (512, 3, 1, 4)):
            blocks = []
            for b in range(n):
                blocks.append(Bottleneck(i, w, s if b == 0 else 1, d))
                i = 4 * w
            layers.append(nn.Sequential(*blocks))
        self.layers = nn.ModuleList(layers)
        self.aspp = nn.ModuleList([cbr(2048, 256, 1), cbr(2048, 256, 3, d=12), cbr(2048, 256, 3, d=24), cbr(2048, 256, 3, d=36)])
        self.project = nn.Sequential(cbr(1024, 256, 1), nn.Dropout(0.5), nn.Conv2d(256, NUM_CLASSES, 1))
        self.aux = nn.Sequential(cbr(1024, 256), nn.Dropout(0.1), nn.Conv2d(256, NUM_CLASSES, 1))

    def forward(self, x):
        size = x.shape[-2:]
        x = self.stem(x)
        kept = []
        for layer in self.layers:
            x = layer(x)
            kept.append(x)
        out = self.project(torch.cat([a(x) for a in self.aspp], 1))
        out = F.interpolate(out, size=size, mode="bilinear", align_corners=False)
        if self.training:
            return out, F.interpolate(self.aux(kept[2]), size=size, mode="bilinear", align_corners=False)
        return out


class OhemCELoss(nn.Module):
    def __init__(self, thresh=0.7, ignore=NUM_CLASSES):
        super().__init__()
        self.thresh = -torch.log(torch.tensor(thresh)).cuda()
        self.criteria = nn.CrossEntropyLoss(ignore_index=ignore, reduction="none")
        self.ignore = ignore

    def forward(self, logits, labels):
        n_min = int((labels != self.ignore).sum()) // 16
        loss = self.criteria(logits, labels).view(-1)
        hard = loss[loss > self.thresh]
        if hard.numel() < n_min:
            hard, _ = loss.topk(n_min)
        return hard.mean()


class Meter:
    def __init__(self):
        self.hist = torch.zeros(NUM_CLASSES, NUM_CLASSES, device="cuda")

    def update(self, pred, label):
        keep = label != NUM_CLASSES
        self.hist += torch.bincount(label[keep] * NUM_CLASSES + pred[keep], minlength=NUM_CLASSES**2).view(NUM_CLASSES, NUM_CLASSES)

    def miou(self):
        d = self.hist.diag()
        return (d / (self.hist.sum(0) + self.hist.sum(1) - d)).mean().item()


def main():
    net = DeepLab().cuda()
    train_loader = DataLoader(Scenes(120), BATCH, shuffle=True, num_workers=4, drop_last=True)
    val_loader = DataLoader(Scenes(20), 2)
    criterion = OhemCELoss()
    back = [p for n, p in net.named_parameters() if n.startswith(("stem", "layers"))]
    head = [p for n, p in net.named_parameters() if not n.startswith(("stem", "layers"))]
    optim = torch.optim.SGD([{"params": back, "lr": 0.01}, {"params": head, "lr": 0.1}], momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.PolynomialLR(optim, total_iters=100, power=0.9)
    for epoch in range(2):
        net.train()
        for i, batch in enumerate(train_loader):
            im, lb = batch["image"].cuda(), batch["label"].cuda()
            out, aux = net(im)
            loss = criterion(out, lb) + 0.4 * criterion(aux, lb)
            optim.zero_grad()
            loss.backward()
            optim.step()
            sched.step()
            if i % 10 == 0:
                print(epoch, i, loss.item())
        net.eval()
        meter = Meter()
        with torch.no_grad():
            for batch in val_loader:
                meter.update(net(batch["image"].cuda()).argmax(1), batch["label"].cuda())
        print(meter.miou())


if __name__ == "__main__":
    main()
