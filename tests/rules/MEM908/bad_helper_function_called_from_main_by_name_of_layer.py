# helper function called from main, by name of the layer

import torch


def freeze_layers(model, prefixes):
    for name, weight in model.named_parameters():
        weight.requires_gradient = not name.startswith(prefixes)  #! MEM908 error


def main():
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 1))
    freeze_layers(model, ("0.",))


main()
