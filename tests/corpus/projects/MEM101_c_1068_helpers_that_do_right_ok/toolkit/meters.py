class AverageMeter:
    def __init__(self, name, fmt=":f"):
        self.name, self.fmt = name, fmt
        self.reset()

    def reset(self):
        self.val = self.avg = self.sum = self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


class ProgressMeter:
    def __init__(self, n, meters):
        self.n, self.meters = n, meters

    def display(self, batch):
        print(batch, self.n, *[f"{m.name} {m.avg:.4f}" for m in self.meters])
