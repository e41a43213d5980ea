"""Memory fraction: three misunderstandings."""
import torch

FRACTION = 1


def limit(device=0):
    torch.cuda.set_per_process_memory_fraction(FRACTION, device)  #! MEM504


def setup(args):
    # reduce memory usage by half
    torch.cuda.set_per_process_memory_fraction(0.5, 0)  #! MEM504
    return args


class Run:
    def __init__(self):
        torch.cuda.set_per_process_memory_fraction(90.0)  #! MEM504
        limit()

    def go(self):
        net = torch.nn.Linear(3, 3).cuda()
        net(torch.rand(3, 3).cuda()).sum().backward()


if __name__ == "__main__":
    setup(None)
    Run().go()
