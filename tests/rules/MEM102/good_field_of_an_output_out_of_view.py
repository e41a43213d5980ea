# a field of positions of what only a name makes the output of a network: it may be a list of numbers

import numpy as np
from data import batch_of, scores_of


def check_accuracy(model, x, y, size):
    all_borders, costs, correct = [], [], []
    for i in range(int(np.ceil(len(y) / size))):
        batch_x, batch_y, lengths = batch_of(x, y, i, size)
        output = model(batch_x.to(device=model.device), lengths, batch_y)
        cost = output.loss
        borders = output.borders
        costs.extend([cost.cpu().data.numpy()])
        all_borders.extend(borders)
        correct.extend(scores_of(borders, batch_y))
    return np.mean(costs), all_borders, correct


def fit(model, x, y):
    model.eval()
    print(check_accuracy(model, x, y, 64)[0])
