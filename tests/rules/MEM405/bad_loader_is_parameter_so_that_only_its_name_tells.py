# the loader is a parameter, so that only its name tells

import torch


def finetune(model, optimizer, train_loader, source_loader, criterion):
    for images, labels in train_loader:
        old_images, old_labels = source_loader.__iter__().__next__()  #! MEM405 warning
        loss = criterion(model(images), labels) + 0.1 * criterion(model(old_images), old_labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
