import torch
from torch import nn


class SegEvaluator:
    def __init__(self, n):
        self.n = n
        self.mat = torch.zeros(n, n, dtype=torch.long)

    def add(self, gt, pred):
        k = (gt >= 0) & (gt < self.n)
        self.mat += torch.bincount(self.n * gt[k] + pred[k], minlength=self.n ** 2).view(self.n, self.n)

    def miou(self):
        m = self.mat.float()
        return (m.diag() / (m.sum(0) + m.sum(1) - m.diag() + 1e-6)).mean().item()


def evaluate(model: nn.Module, loader, n: int) -> float:
    ev = SegEvaluator(n)
    model.eval()
    with torch.no_grad:  #! MEM202
        for img, gt in loader:
            pred = model(img.cuda()).argmax(1).cpu()
            ev.add(gt.flatten(), pred.flatten())
    return ev.miou()


def train(model: nn.Module, train_loader, val_loader, epochs: int = 80, n: int = 19) -> None:
    model.cuda()
    opt = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.9, weight_decay=5e-4)
    crit = nn.CrossEntropyLoss(ignore_index=255)
    for epoch in range(epochs):
        model.train()
        for i, (img, gt) in enumerate(train_loader):
            lr = 1e-2 * (1 - (epoch * len(train_loader) + i) / (epochs * len(train_loader))) ** 0.9
            for g in opt.param_groups:
                g["lr"] = lr
            loss = crit(model(img.cuda()), gt.cuda())
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(epoch, evaluate(model, val_loader, n))
