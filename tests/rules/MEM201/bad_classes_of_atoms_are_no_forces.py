# forces are only in a comment, or in another network; what gives classes of atoms gives none

import torch
from elsewhere import build


class Potential:
    def __init__(self, net):
        self.net = net

    def __call__(self, batch):
        return self.net(batch)["forces"]


def evaluate(model, test_loader):
    model.eval()
    right = 0
    for batch in test_loader:
        scores = model(batch.atom_types)  #! MEM201 error
        right += (scores.argmax(1) == batch.y).sum().item()
    return right


def losses(model, test_loader):
    model.eval()
    criterion = torch.nn.CrossEntropyLoss()
    total = 0.0
    for batch in test_loader:
        total += criterion(model(batch.atomic_numbers), batch.y).item()  #! MEM201 error
    return total


print(evaluate(build(), build().loader))
