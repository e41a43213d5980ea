# the function that calls it is decorated

import torch


def run(model, loader):
    return [model(x).argmax(1).tolist() for x in loader]


@torch.no_grad()
def main():
    model = torch.nn.Linear(4, 2).eval()
    print(run(model, torch.randn(5, 3, 4)))


main()
