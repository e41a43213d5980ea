# the default dtype beside a helper that casts by to(): float64 is asked for twice, so the default is advice

import torch

torch.set_default_dtype(torch.float64)  #! MEM304 advice


def place(network, where):
    return network.to(where, dtype=torch.float64)  #! MEM304 warning


encoder = place(torch.nn.GRU(4, 4), "cuda")
print(encoder(torch.randn(3, 1, 4, device="cuda"))[0].mean())
