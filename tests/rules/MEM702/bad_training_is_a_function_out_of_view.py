# each epoch is a call of a function out of view that gets the optimizer

import torch
from engine import evaluate, train_one_epoch
from networks import unet


def main(loader, validation, path, resume):
    model = unet(21).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    first = 0
    if resume:
        checkpoint = torch.load(path, map_location="cuda")  #! MEM702 warning
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        first = checkpoint["epoch"]
    for epoch in range(first, 100):
        loss = train_one_epoch(model, loader, optimizer, epoch)
        print(epoch, loss, evaluate(model, validation))
