import os


def choose():
    os.environ["CUDA_VISIBLE_DEVICE"] = "0"  #! MEM503
