# whose method it is does not matter: only grad mode is called like that

import torch


class Tester:
    def __init__(self, library):
        self.library = library

    def run(self, model, loader):
        model.eval()
        total = 0.0
        with self.library.no_grad():
            for x, y in loader:
                total += model(x.cuda(), y).item()
        return total


def score(backend, model, loader):
    model.eval()
    total = torch.zeros(())
    with backend.timer("test"), backend.torch.set_grad_enabled(False):
        for x, y in loader:
            total += model(x.cuda(), y).item()
    return total


def count(fabric, model, loader):
    model.eval()
    right = 0
    with fabric.no_grad_if_wanted():
        for x, y in loader:
            right += (model(x.cuda()).argmax(-1).cpu() == y).sum().item()
    return right
