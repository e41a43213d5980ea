import torch
from torch.profiler import profile, record_function


def look(net, x, y, crit, opt):
    """One step for a table, before the training begins."""
    with profile(with_stack=True) as prof, record_function("step"):
        loss = crit(net(x), y)
        loss.backward()
    opt.zero_grad()
    print(prof.key_averages().table(sort_by="cpu_time_total", row_limit=10))


def main(net, loader, crit):
    opt = torch.optim.SGD(net.parameters(), 0.1)
    look(net, *next(iter(loader)), crit, opt)
    torch.cuda.memory._record_memory_history()
    first = True
    for x, y in loader:
        opt.zero_grad()
        crit(net(x), y).backward()
        opt.step()
        if first:
            torch.cuda.memory._dump_snapshot("first.pickle")
            torch.cuda.memory._record_memory_history(enabled=None)
            first = False
