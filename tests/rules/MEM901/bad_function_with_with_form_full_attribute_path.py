# function with the with-form, full attribute path

import torch
import torch.nn.functional as F


def train_epoch(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            loss = F.mse_loss(model(x.cuda()), y.cuda())
        with torch.cuda.amp.scale_loss(loss, optimizer) as scaled_loss:  #! MEM901 error
            scaled_loss.backward()
        optimizer.step()
