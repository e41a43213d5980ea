# a launcher: the processes it starts read the variable

import os
import subprocess
import sys

import torch

for gpu in range(torch.cuda.device_count()):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)
    subprocess.Popen([sys.executable, "train.py", "--fold", str(gpu)])
