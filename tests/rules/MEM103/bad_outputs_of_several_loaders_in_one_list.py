# the outputs for every batch of every loader

import torch


def outputs_of_all(model, loaders):
    model.cuda().eval()
    outputs = []
    with torch.no_grad():
        for loader in loaders:
            for x, _ in loader:
                outputs.append(model(x.cuda()))  #! MEM103 advice
    return torch.cat(outputs)
