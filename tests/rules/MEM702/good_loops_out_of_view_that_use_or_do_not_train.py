# the checkpoint is read in the loop, gone before it, or nothing in the loop trains

import torch
from engine import compare, evaluate, fit_one_epoch
from networks import unet


def read_later(loader, path):
    model = unet(21).cuda()
    checkpoint = torch.load(path, map_location="cuda")
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(100):
        fit_one_epoch(model, loader, optimizer, epoch)
        compare(model, checkpoint)


def deleted(loader, path):
    model = unet(21).cuda()
    checkpoint = torch.load(path, map_location="cuda")
    model.load_state_dict(checkpoint["model"])
    del checkpoint
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(100):
        fit_one_epoch(model, loader, optimizer, epoch)


def only_evaluated(loaders, path):
    model = unet(21).cuda()
    checkpoint = torch.load(path, map_location="cuda")
    model.load_state_dict(checkpoint["model"])
    for loader in loaders:
        evaluate(model, loader)
