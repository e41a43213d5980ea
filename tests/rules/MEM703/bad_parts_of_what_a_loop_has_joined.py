# what is split grew by results of a function of another file

import torch

from project.features import extract


def write(batches, model, width, size):
    everything = torch.empty((0, width))
    for batch in batches:
        features = extract(batch, model).cpu()
        everything = torch.cat((everything, features))
    everything = everything[torch.randperm(everything.shape[0])]
    for number, part in enumerate(torch.split(everything, size, dim=0)):
        torch.save(part, f"part_{number:03d}.pt")  #! MEM703 warning
