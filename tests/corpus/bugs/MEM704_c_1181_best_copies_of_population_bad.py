"""Snapshots per epoch on the GPU, `best` as an alias in a function that returns it."""
import copy

import torch


def train_model(model, dataloaders, criterion, optimizer, num_epochs=25):
    best_model_wts = model.state_dict()  #? MEM704
    best_acc = 0.0
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            model.train(phase == "train")
            correct = 0
            for inputs, labels in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs.cuda())
                    loss = criterion(outputs, labels.cuda())
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                correct += (outputs.argmax(1) == labels.cuda()).sum().item()
            if phase == "val" and correct > best_acc:
                best_acc = correct
                best_model_wts = model.state_dict()  #! MEM704
    model.load_state_dict(best_model_wts)
    return model


def snapshot_ensemble(model, loader, epochs):
    model = model.cuda()
    snaps = []
    opt = torch.optim.SGD(model.parameters(), 0.1)
    for epoch in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
            opt.step()
        snaps.append(copy.deepcopy(model))  #! MEM704
    return snaps
