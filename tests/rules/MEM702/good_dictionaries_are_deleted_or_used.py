# the dictionaries are deleted, or training works with what is in them

import torch
from networks import unet


def train(net, batches, anchors=None):
    optimizer = torch.optim.Adam(net.parameters())
    for x in batches:
        loss = net(x.cuda()).mean() + (sum(a.sum() for a in anchors.values()) if anchors else 0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def deleted(batches, path):
    net = unet(21).cuda()
    state, known = torch.load(path, map_location="cuda"), net.state_dict()
    known.update(state)
    net.load_state_dict(known)
    del state, known
    train(net, batches)


def used(batches, path):
    net = unet(21).cuda()
    state = torch.load(path, map_location="cuda")
    anchors = {}
    for k, v in state.items():
        anchors[k] = v
    net.load_state_dict(state)
    train(net, batches, anchors)


def in_the_options(batches, path, options):
    net = unet(21).cuda()
    state = torch.load(path, map_location="cuda")
    options.update(state)
    net.load_state_dict(state)
    train(net, batches, options)


def returned(batches, path):
    net = unet(21).cuda()
    state = torch.load(path, map_location="cuda")["state_dict"]
    kept = {}
    for k, v in state.items():
        kept[k.replace("module.", "")] = v
    net.load_state_dict(kept)
    train(net, batches)
    return kept
