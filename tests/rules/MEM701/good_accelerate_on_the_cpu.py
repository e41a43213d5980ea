# accelerate is told to stay on the CPU

import torch
from accelerate import Accelerator


def resume(net, optimizer, path):
    accelerator = Accelerator(cpu=True)
    state = torch.load(path)
    net.load_state_dict(state["net"])
    del state
    return accelerator.prepare(net, optimizer)
