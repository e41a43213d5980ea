import torch
import mylib.cuda as cuda
from mylib import count_parameters, autocast
from mylib.schedulers import StepLR
from contextlib import contextmanager


class Variable:
    def __init__(self, x, volatile=False):
        self.data, self.volatile = x, volatile


@contextmanager
def precision():
    with autocast():
        yield


def run(net, opt, rows):
    sched = StepLR(opt, 3, verbose=True)
    v = Variable(rows, volatile=True)
    first = v.data[0]
    batch = torch.stack([r.data[0] for r in rows])
    cuda.clear_cache()
    if hasattr(torch.cuda, "get_memory_info"):
        print(torch.cuda.get_memory_info())
    try:
        from torch.cuda import memory_info
    except ImportError:
        memory_info = None
    weight = net.weight.data[0]
    print(count_parameters(net), first, batch, weight, sched, memory_info)
