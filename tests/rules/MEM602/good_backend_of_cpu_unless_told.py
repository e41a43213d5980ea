# the only backend that the file names is one of the CPU: whoever asks for another sees to the device

import os

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def join(model, device_ids=()):
    backend = os.environ["BACKEND"] if "BACKEND" in os.environ else "gloo"
    dist.init_process_group(backend=backend, rank=int(os.environ["RANK"]), world_size=2)
    return DistributedDataParallel(model, device_ids=device_ids)
