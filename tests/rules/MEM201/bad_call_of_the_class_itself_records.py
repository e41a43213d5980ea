# a call of the class runs its own __call__, and nothing there turns gradients off

import torch
from torch import nn


class Codec(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Linear(width, width)

    def __call__(self, speech):
        return self.net(speech)


def score(loader):
    codec = Codec(512).cuda()
    codec.eval()
    right = 0
    for speech, label in loader:
        codes = codec(speech.cuda())  #! MEM201 error
        right += (codes.argmax(1).cpu() == label).sum().item()
    return right


print(score(make_loader()))
