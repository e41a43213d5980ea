# a new model in every turn takes its hooks with it

import torch


def show(module, inputs, output):
    print(output.shape)


for width in (8, 16, 32):
    net = torch.nn.Linear(4, width)
    net.register_forward_hook(show)
    for x in torch.randn(3, 2, 4):
        net(x)
