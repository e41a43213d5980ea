import argparse
import os
import subprocess
import sys

import torch


def launch(gpus):
    procs = []
    for i, g in enumerate(gpus):
        env = os.environ.copy()
        env["CUDA_VISIBLE_DEVICES"] = str(g)
        env["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
        procs.append(subprocess.Popen([sys.executable, "train.py"], env=env))
    for p in procs:
        p.wait()


def set_gpu(x):
    os.environ["CUDA_VISIBLE_DEVICES"] = x
    print("using gpu:", x)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--gpu", default="0")
    p.add_argument("--launch", action="store_true")
    a = p.parse_args()
    n = 4
    if a.launch:
        launch(range(n))
    else:
        set_gpu(a.gpu)
        torch.manual_seed(0)
        torch.backends.cudnn.deterministic = True
        m = torch.nn.Linear(1, 1).cuda()
        print(m, torch.cuda.device_count())
