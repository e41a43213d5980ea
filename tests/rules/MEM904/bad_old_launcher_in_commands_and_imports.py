# the old launcher in commands and imports

import os
import subprocess
import sys

import torch
from torch.distributed.launch import main as launch_main  #! MEM904


def start(gpus, script):
    command = [sys.executable, "-m", "torch.distributed.launch", f"--nproc_per_node={gpus}", script]  #! MEM904
    subprocess.run(command, check=True)


def start_by_shell(script):
    os.system(f"python -m torch.distributed.launch --nproc_per_node=2 {script}")  #! MEM904


start(torch.cuda.device_count(), "train.py")
