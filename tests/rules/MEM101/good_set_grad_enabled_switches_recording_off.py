# set_grad_enabled switches recording off for the validation phase, and the training phase adds numbers

import torch


def run(model, loaders, criterion, optimizer):
    for phase in ["train", "val"]:
        running_loss = 0.0
        for inputs, labels in loaders[phase]:
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                outputs = model(inputs)
                loss = criterion(outputs, labels)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
            running_loss += loss.item() * inputs.size(0)
        print(phase, running_loss)
