# only the branch for inference halves the model, and it returns before training

import sys

import torch


def main(mode):
    model = torch.nn.Linear(4, 2)
    if mode == "predict":
        model.half()
        print(model(torch.randn(1, 4).half()))
        return
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in torch.randn(10, 2, 4):
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()


main(sys.argv[1])
