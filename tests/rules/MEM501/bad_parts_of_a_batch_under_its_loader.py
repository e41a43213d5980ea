# an iteration of the outer loop is one batch, of which the inner one takes the parts

import torch


@torch.no_grad()
def predict(net, test_loader):
    found = []
    for batch in test_loader:
        for part in batch.split(16):
            found.append(net(part.cuda()).argmax(1).cpu())
        torch.cuda.empty_cache()  #! MEM501
    return found
