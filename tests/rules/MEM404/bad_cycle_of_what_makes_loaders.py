# the loader comes from a function of another file that makes loaders, by its name

import itertools

import torch
from data import get_dataloader, loader_factory, make_val_loader
from networks import build


def infer(options):
    net = build(options).cuda().eval()
    events = loader_factory(options)
    forever = itertools.cycle(events)  #! MEM404 error
    for _ in range(options.iterations):
        with torch.no_grad():
            print(net(next(forever)["image"].cuda()).sum().item())


def train(options, optimizer):
    net = build(options).cuda()
    train_data, val_data = get_dataloader(options), make_val_loader(options)
    for step, (x, y) in enumerate(itertools.cycle(train_data)):  #! MEM404 error
        loss = (net(x.cuda()) - y.cuda()).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step == options.steps:
            break
    for x, y in val_data:
        print(x.shape, y.shape)
