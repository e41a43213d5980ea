# the network is moved to the GPU by accelerate alone

import torch
from accelerate import Accelerator


def resume(net, optimizer, path):
    accelerator = Accelerator()
    state = torch.load(path)  #! MEM701 warning
    net.load_state_dict(state["net"])
    del state
    return accelerator.prepare(net, optimizer)
