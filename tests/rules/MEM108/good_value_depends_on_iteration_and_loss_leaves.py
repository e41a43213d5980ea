# the value depends on the iteration, and the loss leaves for a caller who may go on

import torch


def per_loss(losses, opt):
    opt.zero_grad()
    for i, loss in enumerate(losses):
        loss.backward(retain_graph=i + 1 < len(losses))
    opt.step()


def training_step(model, batch, keep):
    loss = model(batch).pow(2).mean()
    loss.backward(retain_graph=keep)
    return loss


def first_half(model, batch):
    loss = model(batch).pow(2).mean()
    loss.backward(retain_graph=True)
    return loss
