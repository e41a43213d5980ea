import itertools


def infinite(dl):
    return itertools.cycle(dl)  #= MEM404
