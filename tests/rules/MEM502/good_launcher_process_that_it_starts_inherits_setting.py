# a launcher: the process that it starts inherits the setting

import os
import subprocess

import torch

gpus = torch.cuda.device_count()
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
subprocess.check_call(["torchrun", f"--nproc-per-node={gpus}", "train.py"])
