# the percentage decides whether another job may start

import subprocess

import torch

if torch.cuda.memory_usage(0) < 10:
    subprocess.run(["torchrun", "train.py"], check=True)
