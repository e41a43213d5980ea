import torch
from contextlib import ExitStack


class Inference:
    def __init__(self, model):
        self.model = model.eval()
        self.ctx = torch.no_grad()
        self.ctx.__enter__()

    def run(self, loader):
        return [self.model(x.cuda()) for x, _ in loader]

    def close(self):
        self.ctx.__exit__(None, None, None)


def evaluate(model, loader, amp=True):
    model.eval()
    out = []
    with ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        if amp:
            stack.enter_context(torch.autocast("cuda"))
        for x, y in loader:
            out.append(model(x.cuda())) #? MEM103
    return torch.cat(out)
