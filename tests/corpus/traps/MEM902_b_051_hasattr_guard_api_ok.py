import torch


def reserved():
    if hasattr(torch.cuda, "memory_reserved"):
        return torch.cuda.memory_reserved()
    return 0


def info():
    free, total = torch.cuda.mem_get_info()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    return {"free": free, "total": total, "reserved": reserved(), "peak": torch.cuda.max_memory_allocated()}


def params(m):
    return torch.nn.utils.parameters_to_vector(m.parameters()).numel()


class LRPrinter:
    def __init__(self, opt, verbose=True):
        self.s = torch.optim.lr_scheduler.StepLR(opt, 10)
        self.verbose = verbose

    def step(self):
        self.s.step()
        if self.verbose:
            print(self.s.get_last_lr())
