# a dimension that was just added has size one: its only row is all of it

import torch


def pitch_of(audio):
    return torch.from_numpy(audio)[None]


def from_file(path, load):
    return pitch_of(load(path))


def save(path, load, prefix):
    results = from_file(path, load)
    torch.save(results[0], f"{prefix}-pitch.pt")
    if len(results) > 1:
        torch.save(results[1], f"{prefix}-periodicity.pt")


def save_last(features, path):
    batch = features.unsqueeze(0)
    torch.save(batch[-1], path)
