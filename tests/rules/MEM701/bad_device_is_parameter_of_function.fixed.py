# the caller chooses the device, and nothing in the file names one

import torch


def revive(model, optimizer, path, device):
    blob = torch.load(path, map_location="cpu")
    model.load_state_dict(blob["weights"])
    optimizer.load_state_dict(blob["opt"])
    model.to(device)
    return blob["epoch"]
