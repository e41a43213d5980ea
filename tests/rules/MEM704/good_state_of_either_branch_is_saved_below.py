# the weights are taken in one of two branches and written to disk below them, in the same epoch

import torch
import torch.nn.functional as F


def train(model, loader, optimizer, parallel, epochs):
    best_accuracy = 0.0
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        accuracy = accuracy_of(model)
        if accuracy > best_accuracy:
            best_accuracy = accuracy
            if parallel:
                best_state = model.module.state_dict()
            else:
                best_state = model.state_dict()
            torch.save(best_state, "best.pt")


def accuracy_of(model):
    return model.score
