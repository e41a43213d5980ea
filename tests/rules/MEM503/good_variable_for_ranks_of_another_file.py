# the ranks that are about to be started elsewhere inherit it

import os

import torch

from launch import start


def set_up(trainer, gpus, count):
    print(torch.cuda.get_device_name(0))
    if count > 1:
        os.environ["MASTER_ADDR"] = os.getenv("MASTER_ADDR", "localhost")
        os.environ["MASTER_PORT"] = "19198"
        os.environ["CUDA_VISIBLE_DEVICES"] = gpus
    start(trainer, count)
