# NumPy reads the mark, which raises for a tensor with a graph: the history's members are those of the pair.

import torch


class History:
    def __init__(self):
        self.rows = []

    def push(self, fields):
        self.rows.extend([tuple(each) for each in zip(*fields)])


def look(model, loader, history):
    for batch in loader:
        mark = model(batch.cuda())
        print(mark.reshape(-1).numpy().max())
        history.push((batch, mark))


def main(model, loader):
    history = History()
    look(model, loader, history)
    torch.save(history.rows, "rows.pt")
