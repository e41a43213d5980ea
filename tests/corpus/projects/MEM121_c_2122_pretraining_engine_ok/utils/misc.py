import os
from collections import defaultdict
import torch
import torch.distributed as dist


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, v):
        self.total += v
        self.count += 1

    @property
    def avg(self):
        return self.total / self.count


class MetricLogger:
    def __init__(self):
        self.meters = defaultdict(Meter)

    def update(self, **kw):
        for k, v in kw.items():
            if isinstance(v, torch.Tensor):
                v = v.item()
            self.meters[k].update(v)

    def log_every(self, it, n):
        for i, x in enumerate(it):
            yield x
            if i % n == 0:
                print({k: m.avg for k, m in self.meters.items()})


class Scaler:
    def __init__(self):
        self.s = torch.amp.GradScaler("cuda")

    def __call__(self, loss, opt, update=True):
        self.s.scale(loss).backward()
        if update:
            self.s.step(opt)
            self.s.update()


def init_distributed_mode(args):
    args.rank = int(os.environ["RANK"])
    args.gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(args.gpu)
    dist.init_process_group("nccl", init_method="env://", rank=args.rank)
