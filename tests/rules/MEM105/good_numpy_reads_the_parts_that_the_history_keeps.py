# NumPy reads the mark, which raises for a tensor with a graph: the members of the history are those of the pair.

from collections import deque, namedtuple
import torch

Row = namedtuple("Row", ("batch", "mark"))


class History:
    def __init__(self, size):
        self.rows = deque(maxlen=size)

    def push(self, fields):
        self.rows.extend([Row(*each) for each in zip(*fields)])


class Judge:
    def __init__(self, size):
        self.history = History(size)

    def look(self, model, batch):
        mark = model(batch.cuda()).to("cpu")
        print(mark.squeeze(0).numpy().max())
        self.history.push((batch, mark))

    def judge(self, model, loader):
        model.eval()
        for batch in loader:
            self.look(model, batch)
