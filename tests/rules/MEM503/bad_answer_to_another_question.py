# the branch that asks for CUDA goes on, and the setting may come after it

import os
import sys

import torch


def main(args):
    if len(args) > 2:
        if torch.cuda.is_available():
            print("GPUs")
    if "RANK" not in os.environ:
        os.environ["CUDA_VISIBLE_DEVICES"] = args[0]  #! MEM503 warning
    print(torch.cuda.device_count())


main(sys.argv[1:])
