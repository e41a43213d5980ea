# wrapped later: the name that is called runs under no_grad

import torch


def evaluate(model, loader):
    model.eval()
    for x in loader:
        print(model(x).argmax(-1))


evaluate = torch.no_grad()(evaluate)
evaluate(torch.nn.Linear(2, 2), torch.randn(3, 4, 2))
