import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def loaders(src, tgt, bs):
    t = transforms.Compose([transforms.Resize(224), transforms.ToTensor()])
    return [DataLoader(datasets.ImageFolder(d, t), bs, shuffle=True, num_workers=4, drop_last=True) for d in (src, tgt)]


def train(feat, cls, dom, src_loader, tgt_loader, n_epochs, device):
    opt = torch.optim.SGD([*feat.parameters(), *cls.parameters(), *dom.parameters()], 1e-3)
    ce, bce = nn.CrossEntropyLoss(), nn.BCEWithLogitsLoss()
    sample, _ = next(iter(src_loader))
    print("batch", tuple(sample.shape))
    for epoch in range(n_epochs):
        targets = iter(tgt_loader)
        for i, (xs, ys) in enumerate(src_loader):
            try:
                xt, _ = next(targets)
            except StopIteration:
                targets = iter(tgt_loader)
                xt, _ = next(targets)
            xs, ys, xt = xs.to(device), ys.to(device), xt.to(device)
            fs, ft = feat(xs), feat(xt)
            d = dom(torch.cat([fs, ft])).squeeze(1)
            dl = torch.cat([torch.ones(len(fs)), torch.zeros(len(ft))]).to(device)
            loss = ce(cls(fs), ys) + 0.1 * bce(d, dl)
            opt.zero_grad()
            loss.backward()
            opt.step()


def main():
    s, t = loaders("amazon", "webcam", 32)
    dev = torch.device("cuda")
    feat = nn.Sequential(nn.Conv2d(3, 16, 7, 4), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()).to(dev)
    train(feat, nn.Linear(16, 31).to(dev), nn.Linear(16, 1).to(dev), s, t, 30, dev)


if __name__ == "__main__":
    main()
