# CUDA may have started: on one path, and by a count

import sys
from os import environ

import torch


def report(verbose):
    if verbose:
        print(torch.cuda.get_device_name())


def setup(gpu, verbose=False):
    report(verbose)
    environ["CUDA_VISIBLE_DEVICES"] = gpu  #! MEM503 warning
    torch.manual_seed(0)


setup("1", "-v" in sys.argv)
