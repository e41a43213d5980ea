# a getter of a network that is made elsewhere may run under no_grad itself

import torch


def evaluate(model, loader):
    model.eval()
    total = 0.0
    for left, right in loader:
        embedding = model.get_embedding(left.cuda())  #! MEM201 warning
        total += torch.dist(embedding, right.cuda()).item()
    return total
