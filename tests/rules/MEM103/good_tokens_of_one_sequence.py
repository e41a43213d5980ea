# the tokens and hidden states of one sequence, which the next step needs

import torch
from towers import load_tower

tower = load_tower().to("cuda")


@torch.no_grad()
def decode(ids, length):
    tokens, hidden = [], None
    for _ in range(length):
        logits, hidden = tower.step(ids, hidden)
        ids = logits.argmax(-1)
        tokens.append(ids)
    return torch.stack(tokens, 1).cpu()


@torch.no_grad()
def continued(net, ids, length):
    for _ in range(length):
        ids = torch.cat((ids, net(ids.cuda()).argmax(-1)[:, -1:]), 1)
    return ids.cpu()


@torch.no_grad()
def over_time(rows):
    states, state = [], torch.zeros(3, 3).cuda()
    for time in range(rows.size(1)):
        state = tower.cell(rows[:, time], state)
        states.append(state)
    return torch.stack(states, 1).cpu()


@torch.no_grad()
def over_frames(clip):
    features = []
    frames = clip.shape[1]
    for time in range(frames):
        features.append(tower(clip[:, time].cuda()))
    return torch.stack(features, 1).cpu()


@torch.no_grad()
def over_unpacked_time(clip):
    features = []
    _, frames, _ = clip.size()
    for time in range(frames):
        features.append(tower(clip[:, time].cuda()))
    return torch.stack(features, 1).cpu()


@torch.no_grad()
def over_unpacked_shape(clip):
    features = []
    batch, frames = clip.shape
    for time in range(1, frames):
        features.append(tower(clip[:, time].cuda()))
    return torch.stack(features, 1).cpu()
