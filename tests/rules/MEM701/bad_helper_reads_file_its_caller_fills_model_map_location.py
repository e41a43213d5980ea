# a helper reads the file, its caller fills the model; map_location=None says nothing

import torch
from torch.serialization import load


def read_weights(path):
    return load(path, map_location=None)["state_dict"]  #! MEM701


def clean(weights):
    out = {}
    for name, value in weights.items():
        if name.startswith("_orig_mod."):
            name = name[10:]
        out[name] = value
    return out


encoder = torch.nn.GRU(8, 8).to("cuda:0")
encoder.load_state_dict(clean(read_weights("gru.bin")))
