"""A number where the environment wants a string, and a name that is none."""
import os
import sys


def pick(gpu: int = 2):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu  #! MEM503


class Setup:
    def __init__(self):
        os.environ["CUDA_VISIBLE_DEVICE"] = "0"  #! MEM503
        import torch

        self.net = torch.nn.Linear(3, 3).cuda()


if __name__ == "__main__":
    pick(len(sys.argv))
    Setup()
