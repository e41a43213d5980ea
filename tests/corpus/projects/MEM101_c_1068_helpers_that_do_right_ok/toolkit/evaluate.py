import torch

from .meters import AverageMeter


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        maxk = max(topk)
        _, pred = output.topk(maxk, 1, True, True)
        correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
        return [correct[:k].reshape(-1).float().sum(0, keepdim=True).mul_(100.0 / len(target)) for k in topk]


def run(model, loader, criterion, meter, device):
    for images, target in loader:
        loss = criterion(model(images.to(device)), target.to(device))
        meter.update(loss, len(images))


def evaluate(model, loader, criterion, device):
    meter = AverageMeter("val")
    model.eval()
    with torch.no_grad():
        run(model, loader, criterion, meter, device)
    return meter.avg
