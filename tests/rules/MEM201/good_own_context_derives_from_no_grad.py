# The context manager is a class that derives from torch.no_grad

import torch


class evaluating(torch.no_grad):
    def __init__(self, net):
        super().__init__()
        net.eval()


def hits(net, batches):
    found = 0
    with evaluating(net):
        for images, labels in batches:
            found += (net(images.cuda()).argmax(1) == labels.cuda()).sum().item()
    return found
