# the environment of a child, not the own one

import os
import subprocess

import torch

print(torch.cuda.is_available())
env = os.environ.copy()
env["CUDA_VISIBLE_DEVICES"] = "1"
child = {**os.environ, "CUDA_VISIBLE_DEVICES": "2"}
subprocess.run(["python", "eval.py"], env=env, check=True)
