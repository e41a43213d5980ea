import torch
import torch.distributed as dist


class AverageMeter:
    def __init__(self, name):
        self.name, self.sum, self.count = name, 0.0, 0

    def update(self, val, n=1):
        if isinstance(val, torch.Tensor):
            val = val.item()
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


def train(loader, model, criterion, optimizer):
    losses, accs = AverageMeter("loss"), AverageMeter("acc")
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.update(loss, x.size(0))
        accs.update((out.argmax(1) == y).float().mean(), x.size(0))
    return losses.avg, accs.avg
