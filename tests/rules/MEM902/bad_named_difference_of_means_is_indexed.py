# a name for a difference of means: none has dimensions

import torch


def train(critic, made, loader, optimizer, one):
    for x in loader:
        right, wrong = critic(x.cuda()), critic(made())
        real = torch.mean(right)
        fake = torch.mean(wrong)
        gap = real - fake
        gap.backward(one)
        optimizer.step()
        half = gap / 2
        print(gap.data[0])  #! MEM902 error
        print(half.data[0])  #! MEM902 error
