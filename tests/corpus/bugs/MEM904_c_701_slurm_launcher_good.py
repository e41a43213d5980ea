import subprocess
import sys
from pathlib import Path

import torch


def build_cmd(script, gpus, port):
    cmd = [sys.executable, "-u", "-m", "torch.distributed.run"]
    cmd += [f"--nproc_per_node={gpus}", f"--master_port={port}", str(script)]
    return cmd


def main():
    gpus = torch.cuda.device_count()
    cmd = build_cmd(Path("train.py"), gpus, 29501)
    subprocess.check_call(cmd)
    launch_line = "python3 -m torch.distributed.run --nproc_per_node=4 train.py"
    subprocess.Popen(launch_line, shell=True).wait()


if __name__ == "__main__":
    main()
