# the environment of a child process

import os
import subprocess

import torch

env = dict(os.environ)
env["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
print(torch.cuda.device_count())
subprocess.run(["torchrun", "train.py"], env=env, check=True)
