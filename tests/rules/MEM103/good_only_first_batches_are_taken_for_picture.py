# only the first batches are taken, for a picture

import torch


def preview(generator, loader, device):
    pictures = []
    with torch.no_grad():
        for i, x in enumerate(loader):
            if i == 4:
                break
            pictures.append(generator(x.to(device)))
    return torch.cat(pictures)
