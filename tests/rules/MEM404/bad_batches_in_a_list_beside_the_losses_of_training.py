# The batches of all epochs pile up beside the losses of the steps that train.

import torch
from torch.utils.data import DataLoader


def fit(net, optimizer, train_set):
    seen, losses = [], []
    for _ in range(10):
        for batch in DataLoader(train_set, batch_size=64, shuffle=True):
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(net(batch["x"]), batch["y"])
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            seen.append(batch)  #! MEM404 error
    return seen, losses
