# this method does run the network

import torch


def evaluate_archives(model, loader):
    model.eval()
    found = 0
    for batch in loader:
        scores = model.embed(batch.cuda())  #! MEM201 error
        found += scores.argmax(1).sum().item()
    return found
