# functions out of view get the network and this turn's batch: what they give is computed again each time

import torch
from helpers import compute_loss, log_images


def train(net, loader, opt, writer):
    for step, batch in enumerate(loader):
        opt.zero_grad()
        loss, parts = compute_loss(net, batch)
        loss.backward(retain_graph=True)  #! MEM108 warning
        opt.step()
        log_images(writer, net, batch, step)
