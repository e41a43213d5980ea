# The variable has this value before CUDA starts: setting it again changes nothing.

import os

import torch


class Run:
    def __init__(self, options):
        os.environ["CUDA_VISIBLE_DEVICES"] = options.gpu
        if options.gpu and torch.cuda.is_available():
            os.environ["CUDA_VISIBLE_DEVICES"] = options.gpu
            self.count = len(options.gpu.split(","))
