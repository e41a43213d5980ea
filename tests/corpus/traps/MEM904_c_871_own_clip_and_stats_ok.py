import torch
from mylib.optim import clip_grad_norm
from mylib import sdp_kernel


class Stats:
    def memory_cached(self):
        return torch.cuda.memory_reserved()

    def reset_max_memory_allocated(self):
        torch.cuda.reset_peak_memory_stats()


class Optimizer:
    """fairseq manner"""

    def __init__(self, params):
        self.params = list(params)

    def clip_grad_norm(self, m):
        return torch.nn.utils.clip_grad_norm_(self.params, m)


def step(net, x, opt):
    s = Stats()
    s.reset_max_memory_allocated()
    with sdp_kernel(enable_math=False):
        net(x).sum().backward()
    clip_grad_norm(net.parameters(), 1.0)
    opt.clip_grad_norm(1.0)
    mem = torch.cuda.memory_reserved if hasattr(torch.cuda, "memory_reserved") else torch.cuda.memory_cached
    print(s.memory_cached(), mem())
