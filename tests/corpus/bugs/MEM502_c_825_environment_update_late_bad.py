import os
import torch

class Env:
    def __init__(self, gpu):
        torch.cuda.set_device(gpu)
        self.props = torch.cuda.get_device_properties(gpu)
        print(torch.cuda.memory_allocated(gpu))


def setup(gpu):
    env = Env(gpu)
    buf = torch.empty(1024, device="cuda")
    os.environ.update({"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True", "NCCL_DEBUG": "WARN"})  #! MEM502
    return env, buf


setup(0)
