# torchrun, other modules of torch.distributed, and a text about the launcher

"""Was started with python -m torch.distributed.launch until 2022."""
import os
import subprocess

import torch.distributed as dist

HELP = "torch.distributed.launch is gone, use torchrun"
subprocess.run(["torchrun", "--nproc_per_node=2", "train.py"], check=True)
subprocess.run(["python", "-m", "torch.distributed.run", "train.py"], check=True)
print(dist, HELP, os.environ.get("LOCAL_RANK"))
