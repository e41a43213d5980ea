import os
import subprocess
import sys
import torch


def launch(conf):
    env = dict(os.environ)
    env["PYTORCH_CUDA_ALLOC_CONF"] = f"max_split_size_mb:{conf}"
    env["CUDA_VISIBLE_DEVICES"] = "1"
    return subprocess.run([sys.executable, "train.py"], env=env, check=True)


def main():
    print(torch.cuda.device_count())
    for conf in (64, 128, 256):
        launch(conf)


main()
