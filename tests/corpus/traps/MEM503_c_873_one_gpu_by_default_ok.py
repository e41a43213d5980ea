"""Runs on GPU 1 only."""
import os
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "1")
import torch
from torch import nn

device = "cuda:0"
net = nn.Linear(2, 2).to(device)
n = torch.cuda.device_count()
for k in range(n):
    print(torch.cuda.get_device_name(f"cuda:{k}"))


def launch(cmds):
    import subprocess

    for k, c in enumerate(cmds):
        env = {**os.environ, "CUDA_VISIBLE_DEVICES": str(k)}
        subprocess.Popen(c, env=env)
