# trainer class that moves the model first

from os import environ

import torch


class Trainer:
    def __init__(self, model, low_memory):
        self.model = model.to("cuda:0")
        self.limit(low_memory)

    def limit(self, low_memory):
        environ["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"  #! MEM502 error


Trainer(torch.nn.Linear(3, 3), True)
