"""The time that loading takes is averaged; settings that an optimizer is made from are numbers."""
import time

import torch
from project import get_optimizer, load_settings, setup_model


def train(settings, model, optimizer, loader):
    waited = 0
    end = time.time()
    for x, y in loader:
        took = time.time() - end
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        n = settings.workers if settings.workers > 0 else 1
        waited = 1 / n * took + (n - 1) / n * waited if waited != 0 else took
        end = time.time()
    return waited


def main(args):
    settings = load_settings(args.path)
    model = setup_model(settings)
    optimizer = get_optimizer(settings.optimizer, settings.lr, model)
    for epoch in range(settings.epochs):
        print(train(settings, model, optimizer, model.batches(settings)))
