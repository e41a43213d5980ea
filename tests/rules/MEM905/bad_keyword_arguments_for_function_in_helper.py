# keyword arguments for the function, in a helper

import torch
from torch.utils import checkpoint as ckpt


def run_layers(layers, hidden, mask):
    for layer in layers:
        hidden = ckpt.checkpoint(layer, hidden, attention_mask=mask)  #! MEM905 error
    return hidden


print(torch.__name__, run_layers)
