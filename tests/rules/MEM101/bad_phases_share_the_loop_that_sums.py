# one loop trains and validates: without the graphs of the validation, the sum still keeps nodes of training

import torch
from torch import nn


def fit(model, criterion, optimizer, loaders, rounds=25):
    for _ in range(rounds):
        for phase in ["train", "val"]:
            model.train(phase == "train")
            running = 0.0
            for x, y in loaders[phase]:
                optimizer.zero_grad()
                loss = criterion(model(x.cuda()), y.cuda())
                if phase == "train":
                    loss.backward()
                    optimizer.step()
                running += loss * len(x)  #! MEM101
            print(phase, running / len(loaders[phase].dataset))
