# functions that nothing here calls: their order is not known

import os

import torch


def check():
    return torch.cuda.is_available()


def choose(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    return torch.device("cuda")
