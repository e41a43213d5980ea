import torch


class AverageMeter:
    def __init__(self):
        self.sum, self.n = 0.0, 0

    def update(self, val, n=1):
        if torch.is_tensor(val):
            val = val.detach().cpu().item()
        self.sum += val * n
        self.n += n

    @property
    def avg(self):
        return self.sum / max(self.n, 1)


def train(model, loader, opt, crit):
    m = AverageMeter()
    for x, y in loader:
        loss = crit(model(x), y)
        opt.zero_grad(); loss.backward(); opt.step()
        m.update(loss, x.size(0))
    return m.avg
