# set_grad_enabled(False) as the first statement of the function, and autocast beside no_grad

import torch


def evaluate(model, loader):
    torch.set_grad_enabled(False)
    model.eval()
    for x in loader:
        print(model(x).argmax(1))
    torch.set_grad_enabled(True)


def test(model, loader):
    model.eval()
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for x in loader:
            print(model(x).argmax(1))
