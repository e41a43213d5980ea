# the network of a record that a function is given

import torch
import torch.nn.functional as F


def accuracy(state, loader):
    state.encoder.eval()
    right = 0
    for x, y in loader:
        logits = state.encoder(x.cuda())  #! MEM201
        right += (logits.argmax(1) == y.cuda()).sum().item()
    print("accuracy", right / len(loader.dataset), F)
