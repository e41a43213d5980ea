import functools
import time

import numpy as np
import torch


def timed(fn):
    @functools.wraps(fn)
    def inner(*a, **k):
        t0 = time.time()
        out = fn(*a, **k)
        print(f"{fn.__name__} took {time.time() - t0:.1f}s")
        return out
    return inner


@timed
@torch.no_grad()
def evaluate(model, loader, device, num_classes=21):
    """mean IoU on the validation split"""
    model.eval()
    hist = np.zeros((num_classes, num_classes))
    for images, masks in loader:
        images = images.to(device)
        logits = model(images)["out"]
        pred = logits.argmax(1).cpu().numpy()
        gt = masks.numpy()
        k = (gt >= 0) & (gt < num_classes)
        hist += np.bincount(num_classes * gt[k].astype(int) + pred[k], minlength=num_classes ** 2).reshape(num_classes, -1)
    iou = np.diag(hist) / (hist.sum(1) + hist.sum(0) - np.diag(hist) + 1e-9)
    return iou.mean()


@timed
def train_epoch(model, loader, opt, device):
    model.train()
    crit = torch.nn.CrossEntropyLoss(ignore_index=255)
    running = 0.0
    for images, masks in loader:
        images, masks = images.to(device), masks.to(device).long()
        out = model(images)
        loss = crit(out["out"], masks) + 0.4 * crit(out["aux"], masks)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item()
    return running / len(loader)


def run(model, train_loader, val_loader, epochs, device="cuda:0"):
    model.to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    sched = torch.optim.lr_scheduler.PolynomialLR(opt, epochs, power=0.9)
    best = 0.0
    for e in range(epochs):
        l = train_epoch(model, train_loader, opt, device)
        miou = evaluate(model, val_loader, device)
        sched.step()
        if miou > best:
            best = miou
            torch.save(model.state_dict(), "best_seg.pth")
        print(e, l, miou)
