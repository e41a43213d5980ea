# the backward runs in a function, the loop that calls it adds the gradients to the parameters

import torch

net = torch.nn.Linear(6, 2)
rate = 0.01


def learn(x):
    error = net(x).pow(2).sum()
    error.backward()  #! MEM121 error
    return error.item()


for x in torch.randn(50, 4, 6):
    learn(x)
    for weight in net.parameters():
        weight.data.add_(weight.grad, alpha=-rate)
