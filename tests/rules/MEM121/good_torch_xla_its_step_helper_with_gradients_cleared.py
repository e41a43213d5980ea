# torch_xla: its step helper, with the gradients cleared

import torch
import torch_xla.core.xla_model as xm


def train_loop(model, loader, optimizer, loss_fn):
    for data, target in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(data), target)
        loss.backward()
        xm.optimizer_step(optimizer)
