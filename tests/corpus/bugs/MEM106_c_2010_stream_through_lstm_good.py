# Scores a long sensor log with a trained recurrent network, sample after sample.
from __future__ import print_function

import sys

import numpy as np
import torch
from torch.autograd import Variable

INPUT, HIDDEN = 6, 32


def load(path):
    if path is None:
        return np.random.randn(4000, INPUT).astype("float32")
    return np.loadtxt(path, dtype="float32", delimiter=",")


def main(argv):
    rows = load(argv[1] if len(argv) > 1 else None)
    rnn = torch.nn.LSTMCell(INPUT, HIDDEN)
    read = torch.nn.Linear(HIDDEN, 1)
    rnn.eval()
    read.eval()
    hx = Variable(torch.zeros(1, HIDDEN))
    cx = Variable(torch.zeros(1, HIDDEN))
    alarms = 0
    with torch.no_grad():
        for i in range(len(rows)):
            data = Variable(torch.from_numpy(rows[i:i + 1]))
            hx, cx = rnn(data, (hx, cx))
            score = read(hx)
            if score.item() > 0.5:
                alarms += 1
            if i % 1000 == 0:
                print("%d rows, %d alarms" % (i, alarms))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
