# what is repeated is a list of colours, of loaders, or of settings; each epoch begins again

import itertools

from data import get_colours, get_dataloader, get_loaders, make_loader_options


def forever(options):
    loader = get_dataloader(options)
    while True:
        yield from loader


def show(options, figures):
    colours = itertools.cycle(get_colours())
    for figure, colour in zip(figures, colours, strict=False):
        figure.draw(colour)
    loaders = itertools.cycle(get_loaders(options))
    settings = itertools.cycle(make_loader_options(options))
    for _ in range(options.rounds):
        print(next(iter(next(loaders)))[0].shape, next(settings))
