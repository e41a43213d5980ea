# what is deleted under another condition is still there where that does not hold

import torch


def train(model, optimizer, loader, weights, pretrained, tidy):
    if pretrained:
        ckpt = torch.load(weights, map_location="cpu")  #! MEM702 warning
        model.load_state_dict(ckpt["model"])
    if tidy:
        del ckpt
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def resume(model, optimizer, loader, path):
    if path is not None:
        state = torch.load(path, map_location="cpu")  #! MEM702 warning
        model.load_state_dict(state["model"])
    else:
        state = None
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
