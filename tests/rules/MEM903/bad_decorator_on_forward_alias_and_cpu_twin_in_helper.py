# decorator on forward, an alias, and the CPU twin in a helper

import torch
import torch.cuda.amp as cuda_amp
from torch.cpu.amp import autocast as cpu_autocast


class Net(torch.nn.Module):
    @cuda_amp.autocast()  #! MEM903
    def forward(self, x):
        return x.relu()


def on_cpu(net, x):
    with cpu_autocast():  #! MEM903
        return net(x)
