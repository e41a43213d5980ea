"""Which samples have taught a network what it says of one: the run does not come as far as the derivatives."""

from curvature import begin, test_direction


def directions(model, x, y, train_loader, count):
    found = []
    for _ in range(count):
        start = begin(model, x, y)
        found.append(test_direction(model, train_loader, start))
    return found
