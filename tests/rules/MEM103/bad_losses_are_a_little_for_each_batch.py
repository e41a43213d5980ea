# what goes into a list of losses is a number for each batch, perhaps for each sample

import torch


@torch.no_grad()
def validate(model, loader):
    val_loss = []
    for images, masks in loader:
        val_loss.append(model(images.cuda(), masks.cuda()))  #! MEM103 advice
    return torch.stack(val_loss).mean()
