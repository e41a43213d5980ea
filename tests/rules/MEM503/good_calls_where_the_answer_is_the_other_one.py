# what asks for CUDA runs where the script was launched in several processes, the setting where it was not

import os
import sys

import torch


def is_launched():
    return "RANK" in os.environ


def main(args):
    if not is_launched():
        if len(args) > 2:
            return start(args)
    elif torch.cuda.is_available():
        print("several processes on GPUs")
    if is_launched():
        print("one of several")
    else:
        os.environ["CUDA_VISIBLE_DEVICES"] = args[0]
    train(args)


def start(args):
    if torch.cuda.is_available():
        print("starting", args)


def train(args):
    print(torch.cuda.device_count(), args)


main(sys.argv[1:])
