# the default dtype for all of a script, and a helper that casts by to()

import torch

torch.set_default_dtype(torch.float64)  #! MEM304 warning


def place(network, where):
    return network.to(where, dtype=torch.float64)  #! MEM304 warning


encoder = place(torch.nn.GRU(4, 4), "cuda")
print(encoder(torch.randn(3, 1, 4, device="cuda"))[0].mean())
