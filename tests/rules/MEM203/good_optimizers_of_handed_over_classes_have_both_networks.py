# one optimizer for both networks, or one for each, of classes that are handed over

import copy
import itertools

import torch.nn.functional as F
from torch import nn


def together(make, loader, rate):
    left = nn.Sequential(nn.Linear(64, 512), nn.ReLU())
    right = copy.deepcopy(left)
    opt = make(itertools.chain(left.parameters(), right.parameters()), lr=rate)
    for x in loader:
        opt.zero_grad()
        F.mse_loss(left(x), right(x)).backward()
        opt.step()


def each(optimizer_class, loader, rate):
    left = nn.Sequential(nn.Linear(64, 512), nn.ReLU())
    right = copy.deepcopy(left)
    opts = [optimizer_class(net.parameters(), lr=rate) for net in (left, right)]
    for x in loader:
        for opt in opts:
            opt.zero_grad()
        F.mse_loss(left(x), right(x)).backward()
        for opt in opts:
            opt.step()


def by_another(make_trainer, loader, rate):
    left = nn.Sequential(nn.Linear(64, 512), nn.ReLU())
    right = copy.deepcopy(left)
    trainer = make_trainer(left.parameters(), right.parameters(), rate)
    for x in loader:
        trainer.zero_grad()
        F.mse_loss(left(x), right(x)).backward()
        trainer.step()
