# the ranks that an elastic launch starts read the variable again

import os

import torch
from torch.distributed.launcher.api import LaunchConfig, elastic_launch


def launch(train, gpus):
    if torch.cuda.is_available() and len(gpus) > 1:
        os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(str(gpu) for gpu in gpus)
        config = LaunchConfig(min_nodes=1, max_nodes=1, nproc_per_node=len(gpus))
        elastic_launch(config, train)(gpus)


launch(print, [0, 1])
