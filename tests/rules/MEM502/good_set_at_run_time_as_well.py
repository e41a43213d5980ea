# torch is told itself, and the variable is for processes to come

import os

import torch


def use_expandable_segments(on):
    if torch.cuda.is_available():
        torch.cuda.memory._set_allocator_settings(f"expandable_segments:{on}")
        os.environ["PYTORCH_CUDA_ALLOC_CONF"] = f"expandable_segments:{on}"


def configure():
    key = "PYTORCH_CUDA_ALLOC_CONF"
    if "expandable_segments" not in os.environ.get(key, ""):
        os.environ[key] = "expandable_segments:True"
    if torch.cuda.is_initialized():
        torch._C._accelerator_setAllocatorSettings("expandable_segments:True")


use_expandable_segments(True)
configure()
